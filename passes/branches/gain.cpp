#include "passes/branches/gain.h"

#include <algorithm>
#include <span>
#include <vector>

#include "passes/branches/replacement.h"
#include "passes/cost/cost.h"
#include "passes/fusion/reader.h"
#include "passes/structure/levels.h"

namespace lac::passes {

GainAhead::GainAhead(const Graph& graph, OpId loop, const LoopBranches& branches)
    : graph_(graph), branches_(branches), body_(graph.ops[loop].blocks[0]) {
  find_starts(body_);
}

/// In the body and the arms that may run ahead.
void GainAhead::find_starts(BlockId block) {
  const std::unordered_set<ValueId> awaited = awaited_scalars(graph_, block);
  for (OpId id : graph_.blocks[block].ops) {
    const Op& op = graph_.ops[id];
    if (op.kind == OpKind::shift) mark_sources(op.operands[0], stencils_);
    if (op.kind == OpKind::reduce && awaited.contains(op.results[0])) mark_sources(op.operands[0], sums_);
    if (op.kind != OpKind::branch) continue;
    for (std::size_t arm : {0u, 1u})
      if (branches_.ends_loop(id, arm)) find_starts(op.blocks[1 - arm]);
  }
}

/// The value and all that it is computed from by elements.
void GainAhead::mark_sources(ValueId value, std::unordered_set<ValueId>& marked) {
  std::vector<ValueId> pending = {value};
  while (!pending.empty()) {
    const ValueId next = pending.back();
    pending.pop_back();
    if (graph_.type(next).is_scalar() || !marked.insert(next).second) continue;
    const Op* op = graph_.definition(next);
    if (op && (is_elementwise(*op) || op->kind == OpKind::reshape))
      pending.insert(pending.end(), op->operands.begin(), op->operands.end());
  }
}

bool GainAhead::is_carried_to(const std::unordered_set<ValueId>& arguments, ValueId result) const {
  return std::ranges::any_of(branches_.slots(result), [&](std::size_t slot) {
    return arguments.contains(graph_.blocks[body_].arguments[slot]);
  });
}

namespace {

/// What reductions of the block are computed from, by its own elementwise ops: nobody chooses between such matrices.
std::unordered_set<ValueId> reduced_in(const Graph& graph, BlockId block) {
  std::unordered_set<ValueId> reduced;
  const std::vector<OpId>& ops = graph.blocks[block].ops;
  for (auto id = ops.rbegin(); id != ops.rend(); ++id) {
    const Op& op = graph.ops[*id];
    if (op.kind == OpKind::reduce || (is_elementwise(op) && reduced.contains(op.results[0])))
      reduced.insert(op.operands.begin(), op.operands.end());
  }
  return reduced;
}

/// Matrices made before the branch that the arm reads in the pass that makes them. What is to be chosen must wait for
/// the condition; what is reduced need not.
std::size_t matrices_joined(const Graph& graph, const Op& branch, BlockId arm, const Levels& before,
                            const Levels& inside) {
  const std::unordered_set<ValueId> reduced = reduced_in(graph, arm);
  std::unordered_set<ValueId> joined;
  for (OpId id : graph.blocks[arm].ops) {
    const Op& op = graph.ops[id];
    if (!joins_pass(op)) continue;
    const bool waits = op.kind != OpKind::reduce && !reduced.contains(op.results[0]);
    for (ValueId operand : op.operands)
      if (!graph.type(operand).is_scalar() && before.knows(operand) && inside.of_operands(op) == before.of(operand) &&
          (!waits || before.of(branch.operands[0]) <= before.of(operand)))
        joined.insert(operand);
  }
  return joined.size();
}

}  // namespace

bool GainAhead::pays(BlockId block, std::size_t place, std::size_t ahead, const Levels& before,
                     OuterUses& outer) const {
  const Op& branch = graph_.ops[graph_.blocks[block].ops[place]];
  const BlockId arm = branch.blocks[ahead];
  Levels inside(
      graph_, outer, [](OpId) { return false; }, &before);
  inside.add(graph_.blocks[arm].ops);
  const std::size_t saved = matrices_joined(graph_, branch, arm, before, inside) + results_joined(block, place, ahead);
  return cost::saves_words(static_cast<std::int64_t>(saved),
                           static_cast<std::int64_t>(choices_read(branch, ahead, inside)));
}

/// Matrices of the arm that what stands behind the branch, or the next trip, goes on from.
std::size_t GainAhead::results_joined(BlockId block, std::size_t place, std::size_t ahead) const {
  const std::span<const OpId> behind = std::span(graph_.blocks[block].ops).subspan(place + 1);
  const Op& branch = graph_.ops[graph_.blocks[block].ops[place]];
  std::unordered_set<ValueId> read;
  for (OpId id : behind)
    if (joins_pass(graph_.ops[id])) read.insert(graph_.ops[id].operands.begin(), graph_.ops[id].operands.end());
  const Arm arm(graph_, branch, ahead);
  std::size_t joined = 0;
  for (std::size_t n = 0; n < branch.results.size(); ++n) {
    const ValueId result = branch.results[n];
    if (graph_.type(result).is_scalar() || !arm.makes(arm.block().yields[n])) continue;
    joined += feeds_stencil(result) || is_carried_to(sums_, result) ? 1 : 0;
    joined += read.contains(result) ? 1 : 0;
  }
  return joined;
}

/// Matrices that are read for nothing but to be chosen.
std::size_t GainAhead::choices_read(const Op& branch, std::size_t ahead, const Levels& levels) const {
  const Arm arm(graph_, branch, ahead);
  std::unordered_set<ValueId> read;
  for (std::size_t n = 0; n < branch.results.size(); ++n) {
    const ValueId made = arm.block().yields[n], other = graph_.blocks[branch.blocks[1 - ahead]].yields[n];
    if (!graph_.type(made).is_scalar() && branches_.matters_at_the_end(branch.results[n]) &&
        arm.makes_by_elements(made) && !is_made_from(made, other, levels))
      read.insert(other);
  }
  return read.size();
}

/// In the pass that makes it.
bool GainAhead::is_made_from(ValueId made, ValueId other, const Levels& levels) const {
  std::unordered_set<ValueId> seen;
  std::vector<ValueId> pending = {made};
  while (!pending.empty()) {
    const ValueId next = pending.back();
    pending.pop_back();
    if (next == other) return true;
    const Op* op = graph_.definition(next);
    const bool in_pass = op && is_elementwise(*op) && levels.of(next) == levels.of(made);
    if (!graph_.type(next).is_scalar() && in_pass && seen.insert(next).second)
      pending.insert(pending.end(), op->operands.begin(), op->operands.end());
  }
  return false;
}

}  // namespace lac::passes
