#include "passes/silent_checks.h"

#include <vector>

#include "ir/graph/intervals.h"
#include "ir/graph/warning_ids.h"
#include "ir/types/extent.h"

namespace lac::passes {
namespace {

bool guards_a_domain(const Op& op) {
  return (op.kind == OpKind::warn || op.kind == OpKind::check) && attribute<Message>(op).id == domain_warning;
}

const Op* applies(const Graph& graph, ValueId value, ScalarOp function) {
  const Op* made = graph.definition(value);
  return made && made->kind == OpKind::map && attribute<ScalarOp>(*made) == function ? made : nullptr;
}

// That a scalar is no NaN.
bool asks_for_a_number(const Graph& graph, const Op& op) {
  if (op.kind != OpKind::check) return false;
  const Op* negated = applies(graph, op.operands[0], ScalarOp::logical_not);
  return negated && applies(graph, negated->operands[0], ScalarOp::is_nan);
}

// |a| <= largest_extent, of one or several.
bool are_exact(const Graph& graph, ValueId value) {
  if (const Op* both = applies(graph, value, ScalarOp::logical_and))
    return are_exact(graph, both->operands[0]) && are_exact(graph, both->operands[1]);
  const Op* below = applies(graph, value, ScalarOp::le);
  return below && constant_value(graph, below->operands[1]) == static_cast<double>(largest_extent);
}

// For what holds anyway where doubles hold some numbers exactly.
bool asks_for_exactness(const Graph& graph, const Op& op) {
  const Op* either = op.kind == OpKind::check ? applies(graph, op.operands[0], ScalarOp::logical_or) : nullptr;
  return either && are_exact(graph, either->operands[0]);
}

bool is_guard(const Graph& graph, const Op& op) {
  return guards_a_domain(op) || asks_for_a_number(graph, op) || asks_for_exactness(graph, op);
}

bool any_guard(const Graph& graph) {
  bool found = false;
  for_each_op(graph, graph.body, [&](OpId id) { found = found || is_guard(graph, graph.ops[id]); });
  return found;
}

}  // namespace

bool silent_checks(Graph& graph, PassContext&) {
  if (!any_guard(graph)) return false;
  Intervals intervals(graph);
  intervals.settle();
  bool changed = false;
  for_each_block(graph, graph.body, [&](BlockId block) {
    changed |= std::erase_if(graph.blocks[block].ops, [&](OpId id) {
                 const Op& op = graph.ops[id];
                 if (!is_guard(graph, op)) return false;
                 const Interval holds = intervals.of(op.operands[0]);
                 return holds.known() && holds.low != 0;
               }) != 0;
  });
  return changed;
}

}  // namespace lac::passes
