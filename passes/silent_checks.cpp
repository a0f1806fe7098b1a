#include "passes/silent_checks.h"

#include <vector>

#include "ir/graph/intervals.h"
#include "ir/graph/warning_ids.h"

namespace lac::passes {
namespace {

bool guards_a_domain(const Op& op) {
  return (op.kind == OpKind::warn || op.kind == OpKind::check) && attribute<Message>(op).id == domain_warning;
}

// That a scalar is no NaN.
bool asks_for_a_number(const Graph& graph, const Op& op) {
  const auto applies = [&](ValueId value, ScalarOp function) -> const Op* {
    const Op* made = graph.definition(value);
    return made && made->kind == OpKind::map && attribute<ScalarOp>(*made) == function ? made : nullptr;
  };
  if (op.kind != OpKind::check) return false;
  const Op* negated = applies(op.operands[0], ScalarOp::logical_not);
  return negated && applies(negated->operands[0], ScalarOp::is_nan);
}

bool is_guard(const Graph& graph, const Op& op) { return guards_a_domain(op) || asks_for_a_number(graph, op); }

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
