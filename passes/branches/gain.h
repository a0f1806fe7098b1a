// Whether an arm of a branch should run ahead of it.
#pragma once

#include <cstddef>
#include <unordered_set>

#include "ir/graph/graph.h"
#include "ir/graph/outer_uses.h"
#include "passes/branches/loop_branches.h"

namespace lac::passes {

/// What one loop gains by it, in passes over a matrix. True of the body as it was when this was made, and while
/// branches are replaced by straight code that makes the same.
class GainAhead {
 public:
  GainAhead(const Graph& graph, OpId loop, const LoopBranches& branches);

  /// The branch stands at `place` of the block; its other arm ends the loop. A matrix is written and read less where
  /// the arm goes on from what stands before the branch, where what stands behind goes on from the arm, and where the
  /// next trip starts with a stencil or a reduction of what the arm makes. A matrix is read more where the arm makes
  /// one without regard to the one that it replaces: that takes the choice between them.
  bool pays(BlockId block, std::size_t place, std::size_t ahead);

 private:
  void find_starts(BlockId body);
  void mark_arguments(ValueId value, std::unordered_set<ValueId>& seen);

  std::size_t matrices_joined(BlockId block, std::size_t place, std::size_t ahead);
  std::size_t results_joined(BlockId block, std::size_t place, std::size_t ahead) const;
  bool starts_trips(ValueId result) const;
  std::size_t choices_read(const Op& branch, std::size_t ahead) const;
  bool is_made_from(ValueId made, ValueId other) const;

  const Graph& graph_;
  const LoopBranches& branches_;
  BlockId body_;
  OuterUses outer_;
  std::unordered_set<ValueId> starting_;  ///< arguments of the body that stencils and reductions read
};

}  // namespace lac::passes
