// How long something takes.
#pragma once

#include <chrono>

namespace lac {

/// What the action gives; the milliseconds that it took are added to `total`.
template <class Action>
auto timed(double& total, const Action& action) {
  struct Clock {
    explicit Clock(double& sum) : total(sum) {}
    ~Clock() { total += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count(); }
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;
    double& total;
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  };
  const Clock clock(total);
  return action();
}

}  // namespace lac
