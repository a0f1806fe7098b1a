// What the branches in a loop's body decide.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/graph/graph.h"
#include "passes/structure/possible_values.h"
#include "passes/structure/uses.h"

namespace lac::passes {

/// Branches of the body itself and of their arms; those of loops inside are left out. True of the body as it is, and
/// while branches are replaced by straight code that makes the same.
class LoopBranches {
 public:
  /// `uses` of the whole graph.
  LoopBranches(const Graph& graph, OpId loop, const Uses& uses);

  /// Where the branch goes this way, the trip is the last one. False of every branch if each trip is.
  bool ends_loop(OpId branch, std::size_t arm) const { return endings_.contains({branch, arm}); }

  /// The slots in which the loop carries on what is a result of a branch, through the branches around it; each
  /// once.
  const std::vector<std::size_t>& slots(ValueId result) const;

  /// False of a result that is nothing but carried on, and that nobody wants behind the loop: on the last trip it may
  /// be anything. True of the loop's condition.
  bool matters_at_the_end(ValueId result) const { return mattering_.contains(result); }

 private:
  struct Way {
    OpId branch;
    std::size_t arm;
    bool operator==(const Way&) const = default;
  };
  struct WayHash {
    std::size_t operator()(const Way& way) const { return std::hash<OpId>()(way.branch) * 2 + way.arm; }
  };

  /// A scalar that the loop's condition is computed from, by way of `next`: the step from it to `made`.
  struct Step {
    ValueId from, made;
    std::size_t next;
    std::size_t length;  ///< of the way
  };
  struct Leading {
    ValueId value;
    std::size_t step;
    BlockId arm;  ///< that is run where the way says something: what is made outside of it may be so without
  };

  void collect_branches(BlockId block, int depth);
  void follow_results(OpId branch, const Uses& uses);
  void follow_yield(ValueId result, const Uses::Yield& yield, const Uses& uses);
  void find_endings();
  void go_back(const Leading& leading, std::vector<Leading>& pending);
  bool is_made_within(ValueId value, BlockId arm) const;
  bool ends(std::size_t step, PossibleValues::Numbers numbers);

  const Graph& graph_;
  BlockId body_;
  PossibleValues possible_;
  std::vector<OpId> branches_;
  std::unordered_map<OpId, BlockId> home_;  ///< the block of an op
  std::unordered_map<BlockId, int> depth_;
  std::vector<Step> steps_;
  std::unordered_set<Way, WayHash> endings_;
  std::unordered_map<ValueId, std::vector<std::size_t>> slots_;
  std::unordered_set<ValueId> mattering_;
};

}  // namespace lac::passes
