// Straight code in the place of a branch.
#pragma once

#include <cstddef>
#include <unordered_set>
#include <vector>

#include "ir/graph/graph.h"

namespace lac::passes {

/// What one arm of a branch does.
class Arm {
 public:
  Arm(const Graph& graph, const Op& branch, std::size_t arm);

  const Block& block() const { return graph_->blocks[id_]; }
  /// By an op of the arm itself, not in a block inside.
  bool makes(ValueId value) const { return ops_.contains(graph_->values[value].op); }
  bool makes_by_elements(ValueId value) const;

 private:
  const Graph* graph_;
  BlockId id_;
  std::unordered_set<OpId> ops_;
};

/// Puts the ops of both arms in the place of the branch that stands there, and behind them what chooses.
void replace_by_both_arms(Graph& graph, BlockId block, std::size_t place);

/// The same with the ops of one arm that runs `ahead`: the other ends the loop, and what is seen of it stays in the
/// branch, before them. `matters`: by result, whether it does when the loop ends here.
void replace_by_arm_ahead(Graph& graph, BlockId block, std::size_t place, std::size_t ahead,
                          const std::vector<bool>& matters);

}  // namespace lac::passes
