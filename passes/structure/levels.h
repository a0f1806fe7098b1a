// How many passes over memory stand between the start of a block and its values.
#pragma once

#include <functional>
#include <unordered_map>

#include "passes/structure/loop_slots.h"

namespace lac::passes {

/// A reduction, a product or a stencil over what the block makes needs all of it first: what is computed from those is
/// one level up. Elementwise work, views, fills and constants stay on the level of what they read.
class Levels {
 public:
  /// `made_at_neighbours` says which shifts read nothing whole: their operand is computed where they read it.
  Levels(const Graph& graph, BlockId block, const BlockUses& uses,
         const std::function<bool(OpId shift)>& made_at_neighbours);

  int of(ValueId value) const;
  /// The level at which the op has what it reads.
  int of_operands(const Op& op) const;

 private:
  std::unordered_map<ValueId, int> levels_;
};

}  // namespace lac::passes
