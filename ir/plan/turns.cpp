#include "ir/plan/turns.h"

#include <algorithm>
#include <cmath>

namespace lac {
namespace {

std::int64_t ceil_div(std::int64_t number, std::int64_t by) {
  return number <= 0 ? 0 : number / by + (number % by != 0 ? 1 : 0);
}

std::int64_t turns(const TurnCount& count, const std::array<std::int64_t, 3>& groups, const TurnNumbers& numbers) {
  switch (count.kind) {
    case TurnCount::Kind::constant: return count.per;
    case TurnCount::Kind::over: return ceil_div(numbers.size_of(count.size), count.per);
    case TurnCount::Kind::strided:
      return ceil_div(ceil_div(numbers.size_of(count.size), count.per), std::max<std::int64_t>(1, groups[count.index]));
    case TurnCount::Kind::row: return ceil_div(numbers.longest_row(count.index), count.per);
    case TurnCount::Kind::own: return ceil_div(std::max<std::int64_t>(1, groups[0] * groups[1]), count.per);
    case TurnCount::Kind::groups: return ceil_div(numbers.groups(count.index, count.axis), count.per);
  }
  return 0;
}

/// How many times as many workgroups along this axis would be of use.
std::int64_t shared_along(std::uint32_t axis, const std::vector<LoopTurns>& loops,
                          const std::array<std::int64_t, 3>& groups, const TurnNumbers& numbers) {
  std::int64_t most = 0;
  for (const LoopTurns& loop : loops)
    for (const TurnCount& count : loop)
      if (count.kind == TurnCount::Kind::strided && count.index == axis)
        most = std::max(most, turns(count, groups, numbers));
  return most;
}

}  // namespace

double turns_of(const std::vector<LoopTurns>& loops, const std::array<std::int64_t, 3>& groups,
                const TurnNumbers& numbers) {
  double all = 0;
  for (const LoopTurns& loop : loops) {
    double entered = 1;
    for (std::size_t n = 0; n + 1 < loop.size(); ++n) entered *= static_cast<double>(turns(loop[n], groups, numbers));
    all += entered * (1 + static_cast<double>(turns(loop.back(), groups, numbers)));
  }
  return all;
}

std::array<std::int64_t, 3> groups_within(double bound, const std::vector<LoopTurns>& loops,
                                          std::array<std::int64_t, 3> groups, std::int64_t most,
                                          const TurnNumbers& numbers) {
  // Not more than it takes: what sums up the parts of many makes more turns itself.
  for (double made = turns_of(loops, groups, numbers); made > bound; made = turns_of(loops, groups, numbers)) {
    std::uint32_t widest = 0;
    std::int64_t gain = 1;
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const std::int64_t shared = groups[axis] < most ? shared_along(axis, loops, groups, numbers) : 0;
      if (shared > gain) widest = axis, gain = shared;
    }
    if (gain == 1) return groups;
    const std::int64_t now = std::max<std::int64_t>(1, groups[widest]);
    const auto wanted = static_cast<std::int64_t>(std::ceil(static_cast<double>(now) * std::min(2.0, made / bound)));
    groups[widest] = std::min({most, std::max(now + 1, wanted), now * std::min<std::int64_t>(2, gain)});
  }
  return groups;
}

}  // namespace lac
