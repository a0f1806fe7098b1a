#include "ir/plan/loop_condition.h"

namespace lac {
namespace {

constexpr int deepest = 8;

bool compares(ScalarOp op) {
  return op == ScalarOp::lt || op == ScalarOp::le || op == ScalarOp::gt || op == ScalarOp::ge;
}

std::optional<std::pair<ValueId, ValueId>> comparison_in(const Graph& plan, BlockId body, ValueId condition,
                                                         int depth) {
  const Op* made = plan.definition(condition);
  if (made == nullptr || depth == 0) return std::nullopt;
  if (made->kind == OpKind::branch) {  // a && b: the value of `a` decides whether b is looked at
    if (const auto found = comparison_in(plan, body, made->operands[0], depth - 1)) return found;
    return std::nullopt;
  }
  if (made->kind != OpKind::map) return std::nullopt;
  const ScalarOp op = attribute<ScalarOp>(*made);
  const auto is_real = [&](ValueId value) {
    return plan.type(value).is_scalar() && is_floating(plan.type(value).element);
  };
  if (compares(op)) {
    if (!is_real(made->operands[0]) && !is_real(made->operands[1])) return std::nullopt;
    return std::pair{made->operands[0], made->operands[1]};
  }
  if (op != ScalarOp::logical_and && op != ScalarOp::logical_not) return std::nullopt;
  for (const ValueId operand : made->operands)
    if (const auto found = comparison_in(plan, body, operand, depth - 1)) return found;
  return std::nullopt;
}

}  // namespace

std::optional<std::pair<ValueId, ValueId>> compared_by(const Graph& plan, const Op& loop) {
  const BlockId body = loop.blocks[0];
  return comparison_in(plan, body, plan.blocks[body].yields[0], deepest);
}

bool calls_runtime(const Graph& plan, const Op& loop) {
  bool found = false;
  for_each_op(plan, loop.blocks[0], [&](OpId op) {
    const OpKind kind = plan.ops[op].kind;
    found |= kind == OpKind::launch || kind == OpKind::library;
  });
  return found;
}

}  // namespace lac
