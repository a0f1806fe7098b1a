// How many passes over memory stand between the start of a block and its values.
#pragma once

#include <functional>
#include <span>
#include <unordered_map>
#include <utility>

#include "ir/graph/outer_uses.h"

namespace lac::passes {

/// A reduction, a product or a stencil over what the block makes needs all of it first: what is computed from those is
/// one level up. Elementwise work, views, fills and constants stay on the level of what they read.
class Levels {
 public:
  using IsMadeAtNeighbours = std::function<bool(OpId shift)>;

  /// `made_at_neighbours` says which shifts read nothing whole: their operand is computed where they read it. `around`:
  /// of the enclosing block; without, all that is read from outside is on the lowest level.
  explicit Levels(
      const Graph& graph, OuterUses& outer, IsMadeAtNeighbours made_at_neighbours = [](OpId) { return false; },
      const Levels* around = nullptr)
      : graph_(graph), outer_(outer), made_at_neighbours_(std::move(made_at_neighbours)), around_(around) {}

  /// Ops of one block, in their order.
  void add(std::span<const OpId> ops);

  int of(ValueId value) const;
  /// Made by one of the ops.
  bool knows(ValueId value) const { return levels_.contains(value); }
  /// The level at which the op has what it reads.
  int of_operands(const Op& op) const;

 private:
  const Graph& graph_;
  OuterUses& outer_;
  IsMadeAtNeighbours made_at_neighbours_;
  const Levels* around_;
  std::unordered_map<ValueId, int> levels_;
};

}  // namespace lac::passes
