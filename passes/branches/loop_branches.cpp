#include "passes/branches/loop_branches.h"

#include <algorithm>

namespace lac::passes {
namespace {

constexpr std::size_t no_step = SIZE_MAX;  ///< the loop's condition itself
constexpr std::size_t longest_way = 16;    ///< from a number to the condition; further away it is not followed

}  // namespace

LoopBranches::LoopBranches(const Graph& graph, OpId loop, const Uses& uses)
    : graph_(graph), body_(graph.ops[loop].blocks[0]), possible_(graph) {
  collect_branches(body_, 0);
  for (OpId branch : branches_) follow_results(branch, uses);
  find_endings();
}

/// Before a branch come all that may carry on what it makes: the one around it, and those behind it with their arms.
void LoopBranches::collect_branches(BlockId block, int depth) {
  depth_[block] = depth;
  const std::vector<OpId>& ops = graph_.blocks[block].ops;
  for (auto id = ops.rbegin(); id != ops.rend(); ++id) {
    home_[*id] = block;
    if (graph_.ops[*id].kind != OpKind::branch) continue;
    branches_.push_back(*id);
    for (BlockId arm : graph_.ops[*id].blocks) collect_branches(arm, depth + 1);
  }
}

// -- what becomes of results

const std::vector<std::size_t>& LoopBranches::slots(ValueId result) const {
  static const std::vector<std::size_t> none;
  const auto found = slots_.find(result);
  return found == slots_.end() ? none : found->second;
}

void LoopBranches::follow_results(OpId branch, const Uses& uses) {
  for (ValueId result : graph_.ops[branch].results) {
    if (uses.is_read(result)) mattering_.insert(result);
    for (const Uses::Yield& yield : uses.yields(result)) follow_yield(result, yield, uses);
  }
}

void LoopBranches::follow_yield(ValueId result, const Uses::Yield& yield, const Uses& uses) {
  const auto add_slot = [&](std::size_t slot) {
    std::vector<std::size_t>& slots = slots_[result];
    if (std::ranges::find(slots, slot) == slots.end()) slots.push_back(slot);
  };
  const OpId around = graph_.blocks[yield.block].parent;
  const bool by_branch = home_.contains(around) && graph_.ops[around].kind == OpKind::branch;
  bool matters = true;  // of the condition, and in loops inside
  if (yield.block == body_ && yield.place > 0) {
    add_slot(yield.place);
    matters = uses.is_used(graph_.ops[around].results[yield.place]);
  } else if (by_branch) {
    const ValueId outer = graph_.ops[around].results[yield.place];
    std::ranges::for_each(std::vector<std::size_t>(slots(outer)), add_slot);
    matters = matters_at_the_end(outer);
  }
  if (matters) mattering_.insert(result);
}

// -- where the loop ends

void LoopBranches::find_endings() {
  const ValueId condition = graph_.blocks[body_].yields[0];
  if (ends(no_step, possible_.of(condition))) return;
  std::vector<Leading> pending = {{condition, no_step, body_}};
  std::unordered_set<ValueId> seen;
  while (!pending.empty()) {
    const Leading next = pending.back();
    pending.pop_back();
    if (home_.contains(graph_.values[next.value].op) && seen.insert(next.value).second) go_back(next, pending);
  }
}

/// Of a value that is seen from inside the arm.
bool LoopBranches::is_made_within(ValueId value, BlockId arm) const {
  const auto home = home_.find(graph_.values[value].op);
  return home != home_.end() && depth_.at(home->second) >= depth_.at(arm);
}

/// From a value to those that it is made of.
void LoopBranches::go_back(const Leading& leading, std::vector<Leading>& pending) {
  const OpId id = graph_.values[leading.value].op;
  const Op& op = graph_.ops[id];
  const auto step_from = [&](ValueId operand) {
    const std::size_t length = leading.step == no_step ? 1 : steps_[leading.step].length + 1;
    if (length > longest_way || !is_made_within(operand, leading.arm)) return;
    steps_.push_back({operand, leading.value, leading.step, length});
    pending.push_back({operand, steps_.size() - 1, leading.arm});
  };
  if (op.kind == OpKind::map) std::ranges::for_each(op.operands, step_from);
  if (op.kind != OpKind::branch) return;
  step_from(op.operands[0]);
  ValueId yielded[2];
  bool ending[2];
  for (std::size_t arm : {0u, 1u}) {
    yielded[arm] = graph_.blocks[op.blocks[arm]].yields[graph_.values[leading.value].index];
    ending[arm] = ends(leading.step, possible_.of(yielded[arm]));
    if (ending[arm]) endings_.insert({id, arm});
  }
  for (std::size_t arm : {0u, 1u}) {
    if (is_made_within(yielded[arm], op.blocks[arm])) pending.push_back({yielded[arm], leading.step, op.blocks[arm]});
    else if (ending[1 - arm] && is_made_within(yielded[arm], leading.arm))
      pending.push_back({yielded[arm], leading.step, leading.arm});
  }
}

/// The loop's condition is false if the value that the way starts from is one of these.
bool LoopBranches::ends(std::size_t step, PossibleValues::Numbers numbers) {
  for (; numbers && step != no_step; step = steps_[step].next) {
    PossibleValues::Numbers made = std::vector<double>{};
    for (double number : *numbers)
      made = PossibleValues::either(made, possible_.where(steps_[step].made, steps_[step].from, number));
    numbers = std::move(made);
  }
  return numbers && std::ranges::all_of(*numbers, [](double number) { return number == 0; });
}

}  // namespace lac::passes
