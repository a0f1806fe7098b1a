// How long something takes.
#pragma once

#include <chrono>

namespace lac {

/// Does it and adds the milliseconds to `total`.
template <class Action>
void timed(double& total, const Action& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  total += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace lac
