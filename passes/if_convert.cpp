#include "passes/if_convert.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "passes/branches/gain.h"
#include "passes/branches/loop_branches.h"
#include "passes/branches/replacement.h"
#include "passes/cost/cost.h"
#include "passes/fusion/reader.h"
#include "passes/safety.h"
#include "passes/structure/levels.h"
#include "passes/structure/loop_slots.h"
#include "passes/structure/uses.h"

namespace lac::passes {
namespace {

/// Of an arm that runs ahead: each is looked at again for every branch around it. This bounds the time of compiling.
constexpr std::size_t most_ahead = 1000;

class LoopStraightener {
 public:
  LoopStraightener(Graph& graph, OpId loop, const Uses& uses)
      : graph_(graph),
        body_(graph.ops[loop].blocks[0]),
        branches_(graph, loop, uses),
        gain_(graph, loop, branches_),
        outer_(graph) {
    const Op& op = graph.ops[loop];
    for (std::size_t n = 2; n < op.operands.size(); ++n) hold(graph.type(op.operands[n]), held_);
  }

  bool run() { return straighten_block(body_); }

 private:
  /// Inner branches first: what they chose is then made elementwise. A branch that stays has its answer, wherever its
  /// block's ops go.
  bool straighten_block(BlockId block) {
    bool changed = false;
    Levels levels(graph_, outer_);
    std::size_t known = 0;
    for (std::size_t n = 0; n < graph_.blocks[block].ops.size(); ++n) {
      const OpId id = graph_.blocks[block].ops[n];
      if (graph_.ops[id].kind != OpKind::branch || !seen_.insert(id).second) continue;
      for (BlockId arm : std::vector<BlockId>(graph_.ops[id].blocks)) changed |= straighten_block(arm);
      levels.add(std::span(graph_.blocks[block].ops).subspan(known, n - known));
      known = n;
      changed |= straighten(block, n, levels);
    }
    return changed;
  }

  const Block& arm_of(const Op& branch, std::size_t arm) const { return graph_.blocks[branch.blocks[arm]]; }

  /// `levels` of what stands before.
  bool straighten(BlockId block, std::size_t place, const Levels& levels) {
    const OpId id = graph_.blocks[block].ops[place];
    const Op& branch = graph_.ops[id];
    if (!keeps_types(branch)) return false;
    for (std::size_t ending : {0u, 1u}) {
      const std::size_t ahead = 1 - ending;
      if (!branches_.ends_loop(id, ending) || !can_run_ahead(branch, ahead) ||
          !gain_.pays(block, place, ahead, levels, outer_))
        continue;
      std::vector<bool> matters;
      for (ValueId result : branch.results) matters.push_back(branches_.matters_at_the_end(result));
      replace_by_arm_ahead(graph_, block, place, ahead, matters);
      return true;
    }
    if (!both_make_the_same(branch, levels)) return false;
    replace_by_both_arms(graph_, block, place);
    return true;
  }

  bool keeps_types(const Op& branch) const {
    for (std::size_t n = 0; n < branch.results.size(); ++n)
      for (std::size_t arm : {0u, 1u})
        if (graph_.type(branch.results[n]) != graph_.type(arm_of(branch, arm).yields[n])) return false;
    return true;
  }

  bool works_on_matrices(const Block& arm) const {
    return std::ranges::any_of(arm.ops, [&](OpId id) {
      const Op& op = graph_.ops[id];
      return (is_elementwise(op) || op.kind == OpKind::reduce) && !graph_.type(op.operands[0]).is_scalar();
    });
  }

  // -- an arm that ends the loop

  /// What the ending arm yields is known without its branch, and the other arm does no harm on the last trip.
  bool can_run_ahead(const Op& branch, std::size_t ahead) {
    const Block& arm = arm_of(branch, ahead);
    if (arm.ops.size() > most_ahead || !works_on_matrices(arm) || !is_harmless(branch.blocks[ahead])) return false;
    const Arm ending(graph_, branch, 1 - ahead);
    const auto is_early = [&](ValueId value) { return !ending.makes(value) || is_scalar_constant(value); };
    return std::ranges::all_of(ending.block().yields, is_early);
  }

  bool is_scalar_constant(ValueId value) const {
    const Op* op = graph_.definition(value);
    return op && op->kind == OpKind::constant;
  }

  /// It stays so while branches in it are replaced.
  bool is_harmless(BlockId block) {
    const auto found = harmless_.find(block);
    if (found != harmless_.end()) return found->second;
    const std::vector<OpId>& ops = graph_.blocks[block].ops;
    return harmless_[block] = std::ranges::all_of(ops, [&](OpId id) { return is_harmless(graph_.ops[id]); });
  }
  bool is_harmless(const Op& op) {
    if (op.kind == OpKind::branch)
      return std::ranges::all_of(op.blocks, [&](BlockId block) { return is_harmless(block); });
    return is_pass(op) && is_safe_anywhere(graph_, op) && can_be_made_early(graph_, op, held_);
  }

  /// Work that memory bounds, like what its result is selected for: done once in vain it takes a trip's time at most.
  /// Not steps and products of matrices; nor what is stored into a matrix, which could not stay where it is then.
  bool is_pass(const Op& op) const {
    switch (op.kind) {
      case OpKind::constant:
      case OpKind::size:
      case OpKind::fill:
      case OpKind::iota:
      case OpKind::reduce:
      case OpKind::arg_reduce: return true;
      case OpKind::matmul: return graph_.type(op.operands[0]).is_sparse() && graph_.type(op.results[0]).cols.is(1);
      default: return is_elementwise(op) || is_view(op);
    }
  }

  // -- arms that make whole matrices from the same ones: both run in one pass, which waits for memory anyway

  bool both_make_the_same(const Op& branch, const Levels& levels) {
    std::unordered_set<ValueId> read[2];
    bool work = false;
    cost::Time time = 0;
    for (std::size_t arm : {0u, 1u}) {
      const Block& block = arm_of(branch, arm);
      work |= works_on_matrices(block);
      if (!is_elementwise_work(block) || !is_harmless(branch.blocks[arm])) return false;
      time += time_on_matrices(block);
      read[arm] = matrices_read(Arm(graph_, branch, arm));
    }
    const auto includes = [](const auto& all, const auto& some) {
      return std::ranges::all_of(some, [&](ValueId value) { return all.contains(value); });
    };
    const std::size_t words = std::max(read[0].size(), read[1].size()) + matrices_made(branch);
    return work && cost::is_as_fast_as_words(time, static_cast<std::int64_t>(words)) &&
           (includes(read[0], read[1]) || includes(read[1], read[0])) && nothing_stays(branch) &&
           is_decided_in_time(branch, read[0].size() > read[1].size() ? read[0] : read[1], levels);
  }

  bool is_elementwise_work(const Block& arm) const {
    return std::ranges::all_of(arm.ops, [&](OpId id) {
      const Op& op = graph_.ops[id];
      return op.kind == OpKind::constant || op.kind == OpKind::size || op.kind == OpKind::fill || is_elementwise(op);
    });
  }

  cost::Time time_on_matrices(const Block& arm) const {
    cost::Time time = 0;
    for (OpId id : arm.ops)
      if (!graph_.type(graph_.ops[id].results[0]).is_scalar()) time += cost::time_of(graph_.ops[id]);
    return time;
  }

  std::size_t matrices_made(const Op& branch) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(branch.results, [&](ValueId result) { return !graph_.type(result).is_scalar(); }));
  }

  std::unordered_set<ValueId> matrices_read(const Arm& arm) const {
    std::unordered_set<ValueId> read;
    const auto add = [&](ValueId value) {
      if (!graph_.type(value).is_scalar() && !arm.makes(value)) read.insert(value);
    };
    for (OpId id : arm.block().ops) std::ranges::for_each(graph_.ops[id].operands, add);
    std::ranges::for_each(arm.block().yields, add);
    return read;
  }

  /// Each arm makes what it yields: a matrix that it only hands on costs nothing in a branch, and is written in a
  /// select. That pays where the next trip reads the result at neighbours: it is put in memory for them anyway.
  bool nothing_stays(const Op& branch) const {
    const Arm arms[] = {{graph_, branch, 0}, {graph_, branch, 1}};
    for (std::size_t n = 0; n < branch.results.size(); ++n) {
      if (graph_.type(branch.results[n]).is_scalar()) continue;
      for (const Arm& arm : arms) {
        const ValueId yielded = arm.block().yields[n];
        if (!arm.makes(yielded) &&
            (is_carried_as_it_is(branch.results[n], yielded) || !gain_.feeds_stencil(branch.results[n])))
          return false;
      }
    }
    return true;
  }

  bool is_carried_as_it_is(ValueId result, ValueId yielded) const {
    return std::ranges::any_of(branches_.slots(result),
                               [&](std::size_t slot) { return graph_.blocks[body_].arguments[slot] == yielded; });
  }

  /// The condition is known in the pass that has the matrices: else what is made ahead of it must be put by.
  bool is_decided_in_time(const Op& branch, const std::unordered_set<ValueId>& read, const Levels& levels) const {
    const auto at_hand = [&](ValueId value) { return levels.of(value) >= levels.of(branch.operands[0]); };
    return read.empty() || std::ranges::any_of(read, at_hand);
  }

  Graph& graph_;
  BlockId body_;
  std::vector<Size> held_;  ///< of what the loop carries
  const LoopBranches branches_;
  const GainAhead gain_;
  OuterUses outer_;
  std::unordered_map<BlockId, bool> harmless_;
  std::unordered_set<OpId> seen_;  ///< branches
};

bool has_branch(const Graph& graph, OpId loop) {
  const std::vector<OpId>& ops = graph.blocks[graph.ops[loop].blocks[0]].ops;
  return std::ranges::any_of(ops, [&](OpId id) { return graph.ops[id].kind == OpKind::branch; });
}

}  // namespace

bool if_convert(Graph& graph, PassContext&) {
  const Uses uses(graph, graph.body);
  return for_each_loop(graph, graph.body, [&](BlockId, OpId loop) {
    return has_branch(graph, loop) && LoopStraightener(graph, loop, uses).run();
  });
}

}  // namespace lac::passes
