// How long an invocation of a stage runs: the turns that its loops make, as far as sizes say.
//
// No invocation makes more than `most_turns` turns on any device: some end a loop there and go on with wrong numbers
// (Mesa's lavapipe does, after 65,535 turns of all loops of an invocation together), others take a shader that runs on
// for a hang. Where a launch would pass the bound, it gets more workgroups, or the variant of its stages that splits
// long sums (KernelShaders::splits).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "ir/types/size.h"

namespace lac {

inline constexpr std::int64_t most_turns = 32768;

/// The turns of one loop, rounded up.
struct TurnCount {
  enum class Kind : std::uint8_t {
    constant,  ///< `per`
    over,      ///< size / per
    strided,   ///< size / per, shared out among the workgroups along axis `index`
    row,       ///< the entries of the longest row of csr input `index` / per
    groups,    ///< the workgroups of stage `index` (x * y), or of those along `axis`, / per
    own,       ///< those of the stage itself (x * y) / per
  };
  Kind kind = Kind::constant;
  Size size = 0;
  std::int64_t per = 1;
  std::uint32_t index = 0;
  std::int32_t axis = -1;

  static TurnCount constant(std::int64_t turns) { return {Kind::constant, 0, turns, 0}; }
  static TurnCount over(Size size, std::int64_t per = 1) { return {Kind::over, std::move(size), per, 0}; }
  static TurnCount strided(Size size, std::int64_t per, std::uint32_t axis = 0) {
    return {Kind::strided, std::move(size), per, axis};
  }
  static TurnCount row(std::uint32_t input, std::int64_t per = 1) { return {Kind::row, 0, per, input}; }
  static TurnCount groups(std::uint32_t stage, std::int64_t per, std::int32_t axis = -1) {
    return {Kind::groups, 0, per, stage, axis};
  }
  static TurnCount own_groups(std::int64_t per) { return {Kind::own, 0, per}; }
};

/// A loop of a stage: the counts of the loops around it, the outermost first, and its own.
using LoopTurns = std::vector<TurnCount>;

/// What sizes, matrices and launches are when turns are counted.
struct TurnNumbers {
  const std::function<std::int64_t(const Size&)>& size_of;
  std::function<std::int64_t(std::uint32_t input)> longest_row;
  std::function<std::int64_t(std::uint32_t stage, std::int32_t axis)> groups;
};

/// At most so many turns does an invocation make, the last look at each loop's condition included. A double, as bounds
/// of sizes that no launch has may pass any integer.
double turns_of(const std::vector<LoopTurns>& loops, const std::array<std::int64_t, 3>& groups,
                const TurnNumbers& numbers);

/// `groups`, raised up to `most` along each axis where an invocation would make more than `bound` turns.
std::array<std::int64_t, 3> groups_within(double bound, const std::vector<LoopTurns>& loops,
                                          std::array<std::int64_t, 3> groups, std::int64_t most,
                                          const TurnNumbers& numbers);

}  // namespace lac
