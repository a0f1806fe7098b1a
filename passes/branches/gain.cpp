#include "passes/branches/gain.h"

#include <algorithm>
#include <span>
#include <vector>

#include "passes/branches/replacement.h"
#include "passes/fusion/reader.h"
#include "passes/structure/levels.h"

namespace lac::passes {

GainAhead::GainAhead(const Graph& graph, OpId loop, const LoopBranches& branches)
    : graph_(graph), branches_(branches), body_(graph.ops[loop].blocks[0]), outer_(graph) {
  find_starts(body_);
}

void GainAhead::find_starts(BlockId body) {
  std::unordered_set<ValueId> seen;
  for_each_op(graph_, body, [&](OpId id) {
    const Op& op = graph_.ops[id];
    if (op.kind == OpKind::shift || op.kind == OpKind::reduce) mark_arguments(op.operands[0], seen);
  });
}

/// Those that the value is computed from by elements.
void GainAhead::mark_arguments(ValueId value, std::unordered_set<ValueId>& seen) {
  std::vector<ValueId> pending = {value};
  while (!pending.empty()) {
    const ValueId next = pending.back();
    pending.pop_back();
    if (graph_.type(next).is_scalar() || !seen.insert(next).second) continue;
    const Op* op = graph_.definition(next);
    if (!op) starting_.insert(next);
    else if (is_elementwise(*op) || op->kind == OpKind::reshape)
      pending.insert(pending.end(), op->operands.begin(), op->operands.end());
  }
}

bool GainAhead::pays(BlockId block, std::size_t place, std::size_t ahead) {
  const std::size_t saved = matrices_joined(block, place, ahead) + results_joined(block, place, ahead);
  return saved > 0 && saved >= choices_read(graph_.ops[graph_.blocks[block].ops[place]], ahead);
}

namespace {

bool is_pass(const Op& op) { return is_elementwise(op) || op.kind == OpKind::reduce; }

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

}  // namespace

/// Matrices made before the branch that the arm reads in the pass that makes them. What is to be chosen must wait for
/// the condition; what is reduced need not.
std::size_t GainAhead::matrices_joined(BlockId block, std::size_t place, std::size_t ahead) {
  const std::span<const OpId> before(graph_.blocks[block].ops.data(), place);
  const Op& branch = graph_.ops[graph_.blocks[block].ops[place]];
  const BlockId arm = branch.blocks[ahead];
  const auto none_at_neighbours = [](OpId) { return false; };
  const Levels outside(graph_, before, outer_, none_at_neighbours);
  const Levels inside(graph_, graph_.blocks[arm].ops, outer_, none_at_neighbours, &outside);
  const std::unordered_set<ValueId> reduced = reduced_in(graph_, arm);
  std::unordered_set<ValueId> joined;
  for (OpId id : graph_.blocks[arm].ops) {
    const Op& op = graph_.ops[id];
    if (!is_pass(op)) continue;
    const bool waits = op.kind != OpKind::reduce && !reduced.contains(op.results[0]);
    for (ValueId operand : op.operands)
      if (!graph_.type(operand).is_scalar() && outside.knows(operand) &&
          inside.of_operands(op) == outside.of(operand) &&
          (!waits || outside.of(branch.operands[0]) <= outside.of(operand)))
        joined.insert(operand);
  }
  return joined.size();
}

/// Matrices of the arm that what stands behind the branch, or the next trip, goes on from.
std::size_t GainAhead::results_joined(BlockId block, std::size_t place, std::size_t ahead) const {
  const std::span<const OpId> behind = std::span(graph_.blocks[block].ops).subspan(place + 1);
  const Op& branch = graph_.ops[graph_.blocks[block].ops[place]];
  std::unordered_set<ValueId> read;
  for (OpId id : behind)
    if (is_pass(graph_.ops[id])) read.insert(graph_.ops[id].operands.begin(), graph_.ops[id].operands.end());
  const Arm arm(graph_, branch, ahead);
  std::size_t joined = 0;
  for (std::size_t n = 0; n < branch.results.size(); ++n) {
    const ValueId result = branch.results[n];
    if (graph_.type(result).is_scalar() || !arm.makes(arm.block().yields[n])) continue;
    joined += starts_trips(result) ? 1 : 0;
    joined += read.contains(result) ? 1 : 0;
  }
  return joined;
}

bool GainAhead::starts_trips(ValueId result) const {
  return std::ranges::any_of(branches_.slots(result), [&](std::size_t slot) {
    return starting_.contains(graph_.blocks[body_].arguments[slot]);
  });
}

std::size_t GainAhead::choices_read(const Op& branch, std::size_t ahead) const {
  const Arm arm(graph_, branch, ahead);
  std::unordered_set<ValueId> read;
  for (std::size_t n = 0; n < branch.results.size(); ++n) {
    const ValueId made = arm.block().yields[n], other = graph_.blocks[branch.blocks[1 - ahead]].yields[n];
    if (!graph_.type(made).is_scalar() && branches_.matters_at_the_end(branch.results[n]) &&
        arm.makes_by_elements(made) && !is_made_from(made, other))
      read.insert(other);
  }
  return read.size();
}

bool GainAhead::is_made_from(ValueId made, ValueId other) const {
  std::unordered_set<ValueId> seen;
  std::vector<ValueId> pending = {made};
  while (!pending.empty()) {
    const ValueId next = pending.back();
    pending.pop_back();
    if (next == other) return true;
    const Op* op = graph_.definition(next);
    if (!graph_.type(next).is_scalar() && op && is_elementwise(*op) && seen.insert(next).second)
      pending.insert(pending.end(), op->operands.begin(), op->operands.end());
  }
  return false;
}

}  // namespace lac::passes
