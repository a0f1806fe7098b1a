// Branches: if, conditions, short-circuit operators.
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/operators.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {

// A string is true where it has characters: none of them is the zero character.
ValueId Lowerer::condition(const ast::Expr& expr) {
  const Binding value = lower_expr(expr);
  emit_.at(expr.span);
  if (value.is_known_text()) {
    const bool some = !value.text.empty() && value.text.find('\0') == std::string::npos;
    return emit_.builder.constant(some ? 1 : 0, Element::logical);
  }
  if (value.is_text()) return truth(emit_, codes(emit_, value));
  if (value.is_function()) emit_.fail(expr.span, "a function handle cannot be a condition");
  if (!value.is_matrix()) throw LowerError{};
  return truth(emit_, value.value);
}

ValueId Lowerer::branch_condition(const ast::Expr& expr) {
  if (const auto value = short_circuit_of_elements(expr)) return truth(emit_, *value);
  return condition(expr);
}

std::optional<ValueId> Lowerer::short_circuit_of_elements(const ast::Expr& expr) {
  const auto* node = std::get_if<ast::Binary>(&strip_parens(expr).node);
  if (!node || (node->op != ast::BinaryOp::logical_and && node->op != ast::BinaryOp::logical_or)) return std::nullopt;
  const auto elements = [&](const ast::Expr& operand) {
    const auto inner = short_circuit_of_elements(operand);
    return inner ? *inner : lower_value(operand);
  };
  const ValueId left = elements(*node->left);
  std::set<std::string> stepped;
  assigned_names(*node->right, stepped);
  if (emit_.type(left).is_scalar() && emit_.type(left).is_dense() && stepped.empty())
    return short_circuit(*node, truth(emit_, left), &Lowerer::branch_condition);
  const ValueId right = elements(*node->right);
  emit_.at(expr.span);
  emit_.operands = {node->left->span, node->right->span, node->op_span, expr.span, left, right};
  return binary(emit_, node->op, left, right, expr.span);
}

ValueId Lowerer::short_circuit(const ast::Binary& node, ValueId left, ValueId (Lowerer::*truth_of)(const ast::Expr&)) {
  const bool is_and = node.op == ast::BinaryOp::short_and || node.op == ast::BinaryOp::logical_and;
  const auto operand = [&](const ast::ExprPtr& expr) { return (this->*truth_of)(*expr); };
  if (const auto known = emit_.constant_of(left)) {
    if ((*known != 0) != is_and) return emit_.builder.constant(is_and ? 0 : 1, Element::logical);
    return operand(node.right);
  }
  std::set<std::string> stepped;
  assigned_names(*node.right, stepped);
  if (!stepped.empty())
    emit_.fail(node.right->span,
               "++ and -- behind && and || are not supported: write them as a statement of their own");
  const BlockId block = emit_.builder.new_block();
  ValueId right;
  emit_.inside(block, [&] {
    right = emit_.builder.constant(0, Element::logical);
    emit_.reachable([&] { right = operand(node.right); });
  });
  bool simple = true;
  for (OpId op : emit_.graph.blocks[block].ops) simple = simple && has_trait(emit_.graph.ops[op].kind, trait::pure);
  if (simple) {  // nothing to be guarded: evaluate both
    auto& home = emit_.graph.blocks[emit_.builder.block].ops;
    const auto& inner = emit_.graph.blocks[block].ops;
    home.insert(home.end(), inner.begin(), inner.end());
    emit_.graph.blocks[block].ops.clear();
    return emit_.builder.map(is_and ? ScalarOp::logical_and : ScalarOp::logical_or, left, right);
  }
  emit_.graph.blocks[block].yields = {right};
  const BlockId other = emit_.builder.new_block();
  emit_.inside(other,
               [&] { emit_.graph.blocks[other].yields = {emit_.builder.constant(is_and ? 0 : 1, Element::logical)}; });
  Op op;
  op.kind = OpKind::branch;
  op.operands = {left};
  op.blocks = is_and ? std::vector<BlockId>{block, other} : std::vector<BlockId>{other, block};
  op.results = {emit_.builder.new_value(Type::scalar(Element::logical))};
  const ValueId result = op.results[0];
  emit_.builder.append(std::move(op));
  return result;
}

void Lowerer::lower_if(const ast::If& node, std::size_t index, const Tail& rest) {
  if (index == node.arms.size()) {
    if (rest) rest();
    return;
  }
  const ast::IfArm& arm = node.arms[index];
  if (!arm.condition) return lower_list(arm.body, 0, rest);
  emit_.at(arm.condition->span);
  const ValueId holds = branch_condition(*arm.condition);
  if (const auto known = emit_.constant_of(holds))
    return *known != 0 ? lower_list(arm.body, 0, rest) : lower_if(node, index + 1, rest);
  branch(
      holds, [&] { lower_list(arm.body, 0, rest); }, [&] { lower_if(node, index + 1, rest); }, arm.span);
}

}  // namespace lac::frontend
