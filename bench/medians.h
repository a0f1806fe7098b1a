// Interleaved timing: every contender runs once per round, so that a slow spell of the machine hits all of them.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace lac::bench {

struct Contender {
  std::string name;
  std::function<double()> run;  ///< gives the seconds that count: what was prepared before does not
  std::vector<double> seconds = {};
};

/// The seconds that `work` takes.
inline double timed(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Runs every contender `rounds` times after one round of warm-up and fills `seconds`.
inline void interleave(std::vector<Contender>& contenders, int rounds) {
  for (int round = -1; round < rounds; ++round) {
    for (Contender& contender : contenders) {
      const double seconds = contender.run();
      if (round >= 0) contender.seconds.push_back(seconds);
    }
  }
}

/// The median over rounds of the ratio of `contender`'s time to `peer`'s time in the same round.
inline double median_ratio(const Contender& contender, const Contender& peer) {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < contender.seconds.size(); ++round) {
    ratios.push_back(contender.seconds[round] / peer.seconds[round]);
  }
  return median(ratios);
}

}  // namespace lac::bench
