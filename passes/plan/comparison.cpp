#include "passes/plan/decisions.h"

namespace lac::passes {
namespace {

constexpr int deepest = 8;

bool compares(ScalarOp op) {
  return op == ScalarOp::lt || op == ScalarOp::le || op == ScalarOp::gt || op == ScalarOp::ge;
}

// Operands of what decides the condition are computed before it, so they are at hand where it is.
std::optional<std::pair<ValueId, ValueId>> comparison_in(const Graph& plan, ValueId condition, int depth) {
  const Op* made = plan.definition(condition);
  if (made == nullptr || depth == 0) return std::nullopt;
  // a && b: whether b is looked at hangs on a.
  if (made->kind == OpKind::branch) return comparison_in(plan, made->operands[0], depth - 1);
  if (made->kind != OpKind::map) return std::nullopt;
  const ScalarOp op = attribute<ScalarOp>(*made);
  if (compares(op)) {
    const Type &left = plan.type(made->operands[0]), &right = plan.type(made->operands[1]);
    const bool scalars = left.is_scalar() && right.is_scalar();
    if (!scalars || (!is_floating(left.element) && !is_floating(right.element))) return std::nullopt;
    return std::pair{made->operands[0], made->operands[1]};
  }
  if (op != ScalarOp::logical_and && op != ScalarOp::logical_not) return std::nullopt;
  for (const ValueId operand : made->operands)
    if (const auto found = comparison_in(plan, operand, depth - 1)) return found;
  return std::nullopt;
}

}  // namespace

std::optional<std::pair<ValueId, ValueId>> compared_by(const Graph& plan, const Op& loop) {
  return comparison_in(plan, plan.blocks[loop.blocks[0]].yields[0], deepest);
}

}  // namespace lac::passes
