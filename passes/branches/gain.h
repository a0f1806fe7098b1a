// Whether an arm of a branch should run ahead of it.
#pragma once

#include <cstddef>
#include <unordered_set>

#include "ir/graph/graph.h"
#include "passes/branches/loop_branches.h"
#include "passes/structure/levels.h"

namespace lac::passes {

/// What one loop gains by it, in passes over a matrix. True of the body as it was when this was made, and while
/// branches are replaced by straight code that makes the same.
class GainAhead {
 public:
  GainAhead(const Graph& graph, OpId loop, const LoopBranches& branches);

  /// The branch stands at `place` of the block, `before` has the levels up to there; its other arm ends the loop. A
  /// matrix is written and read less where the arm goes on from what stands before the branch, where what stands behind
  /// goes on from the arm, and where the next trip starts with a stencil or a reduction of what the arm makes. A matrix
  /// is read more where the arm makes one without regard to the one that it replaces: that takes the choice between
  /// them.
  bool pays(BlockId block, std::size_t place, std::size_t ahead, const Levels& before, OuterUses& outer) const;

  /// A stencil reads this result of a branch, in the same trip or the next.
  bool feeds_stencil(ValueId result) const { return stencils_.contains(result) || is_carried_to(stencils_, result); }

 private:
  void find_starts(BlockId block);
  void mark_sources(ValueId value, std::unordered_set<ValueId>& marked);
  bool is_carried_to(const std::unordered_set<ValueId>& arguments, ValueId result) const;
  std::size_t results_joined(BlockId block, std::size_t place, std::size_t ahead) const;
  std::size_t choices_read(const Op& branch, std::size_t ahead, const Levels& levels) const;
  bool is_made_from(ValueId made, ValueId other, const Levels& levels) const;

  const Graph& graph_;
  const LoopBranches& branches_;
  BlockId body_;
  std::unordered_set<ValueId> stencils_, sums_;  ///< what they read
};

}  // namespace lac::passes
