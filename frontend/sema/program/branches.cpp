// Branches: if, conditions, short-circuit operators.
#include "frontend/sema/arrays/operators.h"
#include "frontend/sema/complex/complex.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/operators.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {

// A string is true where it has characters: none of them is the zero character.
ValueId Lowerer::condition(const ast::Expr& expr) {
  if (const auto name = variant_read_by(expr)) return truth_by_kinds(*name, expr, &Lowerer::condition);
  const Binding value = lower_expr(expr);
  emit_.at(expr.span);
  if (value.is_known_text()) {
    const bool some = !value.text.empty() && value.text.find('\0') == std::string::npos;
    return emit_.builder.constant(some ? 1 : 0, Element::logical);
  }
  if (value.is_text()) return truth(emit_, codes(emit_, value));
  if (value.is_function()) emit_.fail(expr.span, "a function handle cannot be a condition");
  if (value.is_complex()) return truth(emit_, nonzero(emit_, parts_of(emit_, value), expr.span));
  if (value.is_array()) return truth(emit_, as_column(emit_, value));
  if (value.is_aggregate() || value.is_map()) (void)as_value(value, expr);
  if (!value.is_matrix() && !value.is_integer()) throw LowerError{};
  return truth(emit_, value.value);
}

ValueId Lowerer::branch_condition(const ast::Expr& expr) {
  note_place(expr);
  if (const auto name = variant_read_by(expr)) return truth_by_kinds(*name, expr, &Lowerer::branch_condition);
  if (const auto value = short_circuit_of_elements(expr))
    return truth(emit_, value->is_array() ? as_column(emit_, *value) : value->value);
  return condition(expr);
}

std::optional<Binding> Lowerer::short_circuit_of_elements(const ast::Expr& expr) {
  const auto* node = std::get_if<ast::Binary>(&strip_parens(expr).node);
  if (!node || (node->op != ast::BinaryOp::logical_and && node->op != ast::BinaryOp::logical_or)) return std::nullopt;
  const auto elements = [&](const ast::Expr& operand) {
    if (const auto inner = short_circuit_of_elements(operand)) return *inner;
    const Binding value = lower_expr(operand);
    if (value.is_complex()) return Binding::matrix(nonzero(emit_, parts_of(emit_, value), operand.span));
    return value.is_array() ? value : Binding::matrix(as_value(value.numbers(), operand));
  };
  const Binding a = elements(*node->left);
  std::set<std::string> stepped;
  assigned_names(*node->right, stepped);
  if (!a.is_array() && emit_.type(a.value).is_scalar() && emit_.type(a.value).is_dense() && stepped.empty())
    return Binding::matrix(short_circuit(*node, truth(emit_, a.value), &Lowerer::branch_condition));
  const Binding b = elements(*node->right);
  emit_.at(expr.span);
  if (a.is_array() || b.is_array()) return array_binary(emit_, node->op, a, b, expr.span);
  emit_.operands = {node->left->span, node->right->span, node->op_span, expr.span, a.value, b.value};
  return Binding::matrix(binary(emit_, node->op, a.value, b.value, expr.span));
}

ValueId Lowerer::short_circuit(const ast::Binary& node, ValueId left, TruthOf truth_of) {
  const bool is_and = node.op == ast::BinaryOp::short_and || node.op == ast::BinaryOp::logical_and;
  const auto operand = [&](const ast::ExprPtr& expr) { return (this->*truth_of)(*expr); };
  if (const auto known = emit_.constant_of(left)) {
    if ((*known != 0) != is_and) return emit_.builder.constant(is_and ? 0 : 1, Element::logical);
    return operand(node.right);
  }
  const auto by_statements = [&] {  // the right operand throws, or changes variables
    const auto settled = [&] { return emit_.builder.constant(is_and ? 0 : 1, Element::logical); };
    const auto right = [&] { return operand(node.right); };
    return is_and ? branch_truth(left, right, settled) : branch_truth(left, settled, right);
  };
  std::set<std::string> stepped;
  assigned_names(*node.right, stepped);
  if (emit_.errors || !stepped.empty()) return by_statements();
  const Snapshot start = save();
  const BlockId block = emit_.builder.new_block();
  ValueId right;
  bool told = false;
  emit_.inside(block, [&] {
    right = emit_.builder.constant(0, Element::logical);
    told = note_condition(*node.left, is_and);
    emit_.reachable([&] { right = operand(node.right); });
  });
  if (changed_shared(start.env)) {
    restore(start);
    return by_statements();
  }
  bool simple = true;
  for (OpId op : emit_.graph.blocks[block].ops) {
    const OpKind kind = emit_.graph.ops[op].kind;
    const bool is_guarded = told && kind == OpKind::index;  // perhaps in range for what the left one says alone
    simple = simple && has_trait(kind, trait::pure) && !is_guarded;
  }
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
      holds,
      [&] {
        note_condition(*arm.condition, true);
        note_multiple(holds, true);
        lower_list(arm.body, 0, rest);
      },
      [&] {
        note_condition(*arm.condition, false);
        note_multiple(holds, false);
        lower_if(node, index + 1, rest);
      },
      arm.span);
}

// The first case whose label the value is, or one of whose cells it is.
void Lowerer::lower_switch(const ast::Switch& node, Span span) {
  const Binding value = lower_expr(*node.value).numbers();
  if (value.kind == Binding::Kind::poisoned) throw LowerError{};
  if (value.is_aggregate() || value.is_function() || value.is_map())
    emit_.fail(node.value->span, "switch: the value must be a number or a string");
  emit_.at(span);
  lower_cases(node, value, 0);
}

void Lowerer::lower_cases(const ast::Switch& node, const Binding& value, std::size_t index) {
  if (index == node.cases.size()) return;
  const ast::SwitchCase& each = node.cases[index];
  if (!each.label) return lower_list(each.body);
  const Binding label = lower_expr(*each.label).numbers();
  emit_.at(each.label->span);
  branch(
      is_case(value, label, each.label->span), [&] { lower_list(each.body); },
      [&] { lower_cases(node, value, index + 1); }, each.span);
}

ValueId Lowerer::is_case(const Binding& value, const Binding& label, Span span) {
  Builder& b = emit_.builder;
  if (label.kind == Binding::Kind::poisoned) throw LowerError{};
  if (label.is_cell()) {
    ValueId any = b.constant(0, Element::logical);
    for (const Binding& item : label.aggregate->slots.front().items) {
      if (item.is_aggregate()) continue;
      const ValueId same = is_case(value, item, span);
      if (emit_.constant_of(same) == 1.0) return same;
      if (emit_.constant_of(same) == 0.0) continue;
      any = emit_.constant_of(any) ? same : b.map(ScalarOp::logical_or, any, same);
    }
    return any;
  }
  if (value.is_known_text() && label.is_known_text())
    return b.constant(value.text == label.text ? 1 : 0, Element::logical);
  const auto number = [&](const Binding& of) {
    return of.is_matrix() ? emit_.constant_of(of.value) : std::optional<double>();
  };
  if (number(value) && number(label)) return b.constant(*number(value) == *number(label) ? 1 : 0, Element::logical);
  return call_by_name("isequal", {value, label}, 1, span).front().value;
}

}  // namespace lac::frontend
