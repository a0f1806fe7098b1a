// Expressions: numbers, names, ranges, and what is asked of their values.
#include <cmath>

#include "frontend/sema/arrays/integers.h"
#include "frontend/sema/arrays/operators.h"
#include "frontend/sema/complex/arithmetic.h"
#include "frontend/sema/integers/integers.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/effects.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/operators.h"
#include "frontend/sema/values/ranges.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {
namespace {

// The value of an expression of numbers alone.
std::optional<double> literal_number(const ast::Expr& expr) {
  if (const auto* number = std::get_if<ast::Number>(&expr.node)) return number->value;
  if (const auto* paren = std::get_if<ast::Paren>(&expr.node)) return literal_number(*paren->inner);
  if (const auto* unary = std::get_if<ast::Unary>(&expr.node)) {
    const auto value = literal_number(*unary->operand);
    if (!value) return std::nullopt;
    if (unary->op == ast::UnaryOp::minus) return -*value;
    if (unary->op == ast::UnaryOp::plus) return value;
  }
  if (const auto* binary = std::get_if<ast::Binary>(&expr.node)) {
    const auto left = literal_number(*binary->left), right = literal_number(*binary->right);
    if (!left || !right) return std::nullopt;
    switch (binary->op) {
      case ast::BinaryOp::add: return *left + *right;
      case ast::BinaryOp::subtract: return *left - *right;
      case ast::BinaryOp::multiply: return *left * *right;
      case ast::BinaryOp::divide: return *left / *right;
      default: break;
    }
  }
  return std::nullopt;
}

/// Cells, structs and functions; as_value refuses maps.
bool has_no_operators(const Binding& value) {
  const bool of_numbers = value.is_complex() || value.is_array() || value.is_integer() || value.is_map();
  return !of_numbers && (value.is_cell() || value.is_record() || value.is_function());
}

}  // namespace

ValueId Lowerer::lower_value(const ast::Expr& expr) { return as_value(lower_expr(expr), expr); }

Binding Lowerer::lower_operand(const ast::Expr& expr) {
  const std::vector<Binding> values = lower_multi(expr, 1);
  if (is_list(expr) && values.size() > 1)
    emit_.fail(expr.span,
               "operators are not implemented for a 'cs-list' of " + std::to_string(values.size()) + " values");
  const Binding value = values.empty() ? lower_expr(expr) : values.front();
  if (value.is_complex() || value.is_array() || value.is_integer() || has_no_operators(value)) return value;
  return Binding::matrix(value.is_text() ? operand_codes(emit_, value) : as_value(value, expr));
}

// Octave names the operands as it has turned them into numbers.
void Lowerer::refuse_operator(const std::string& arity, std::string_view op, const std::vector<Binding>& operands,
                              Span span) {
  const auto name = [&](const Binding& operand) {
    const std::string as_it_is = operand_name(emit_, operand);
    if (has_no_operators(operand)) return "'" + as_it_is + "'";
    return as_it_is.starts_with("bool") ? "'" + (as_it_is == "bool" ? std::string("scalar") : "matrix") + "'"
                                        : "'" + as_it_is + "'";
  };
  std::string message = arity + " operator '" + std::string(op) + "' not implemented for " + name(operands.front());
  message += operands.size() == 1 ? " operands" : " by " + name(operands.back()) + " operations";
  if (emit_.conditional() && tries_.empty()) stop(span, message);
  const Binding& odd = has_no_operators(operands.front()) ? operands.front() : operands.back();
  const std::string remedy = odd.is_function()
                                 ? "call it, as in f(x)"
                                 : std::string("take what is in it, as in ") + (odd.is_cell() ? "c{1}" : "s.name");
  emit_.fail(span, message, {{{}, remedy}});
}

ValueId Lowerer::as_value(const Binding& value, const ast::Expr& expr) {
  if (value.is_text())
    emit_.fail(expr.span,
               "a string cannot be used as a matrix here: compare strings with strcmp, read codes with double");
  if (value.is_function()) emit_.fail(expr.span, "a function handle cannot be used as a matrix here");
  if (value.is_integer())
    emit_.fail(expr.span, "a value of class " + std::string(info(value.integer_class).name) +
                              " cannot be used here: convert with double(x)");
  if (value.is_map()) emit_.fail(expr.span, std::string(map_remedy));
  if (value.is_complex()) {
    emit_.at(expr.span);
    return require_real_value(emit_, parts_of(emit_, value),
                              "a complex value cannot be used here: take real(z), imag(z) or abs(z)");
  }
  if (value.is_array())
    emit_.fail(expr.span, "an array of " + std::to_string(value.aggregate->lead.size() + 1) +
                              " dimensions cannot be used as a matrix here: take a page of it, as in A(:, :, 1)");
  if (value.is_aggregate())
    emit_.fail(expr.span, std::string("a ") + (value.is_cell() ? "cell array" : "struct") +
                              " cannot be used as a matrix here: take what is in it, as in " +
                              (value.is_cell() ? "c{1}" : "s.name"));
  if (!value.is_matrix()) throw LowerError{};
  return value.value;
}

Binding Lowerer::lower_expr(const ast::Expr& expr) {
  const std::vector<Binding> values = lower_multi(expr, 1);
  if (values.empty()) emit_.fail(expr.span, "value on the right hand side of the assignment not defined");
  if (values.size() > 1 && is_list(ast::strip_parens(expr)))
    emit_.fail(expr.span, "some elements undefined in argument list: a list of " + std::to_string(values.size()) +
                              " values stands where one is taken");
  return values.front();
}

std::vector<Binding> Lowerer::lower_multi(const ast::Expr& expr, int nargout) {
  const LocationId outer = emit_.builder.location;
  const auto whole = [&](Binding value) {
    emit_.builder.location = outer;
    return std::vector<Binding>{std::move(value)};
  };
  const auto one = [&](ValueId value) { return whole(Binding::matrix(value)); };
  if (const auto known = results_at_hand_.find({frame_, &expr}); known != results_at_hand_.end()) {
    if (known->second.kind == Binding::Kind::poisoned) throw ResultVaries{&expr};
    return {known->second};
  }
  if (const auto* node = std::get_if<ast::Paren>(&expr.node)) return lower_multi(*node->inner, nargout);
  if (const auto* node = std::get_if<ast::Number>(&expr.node))
    return one(emit_.builder.constant(node->value, element_of_number(emit_, node->value)));
  if (const auto* node = std::get_if<ast::ImaginaryNumber>(&expr.node)) {
    const Element element = emit_.graph.precision;
    return {complex_binding(emit_, {emit_.builder.constant(0, element), emit_.builder.constant(node->value, element)})};
  }
  if (const auto* node = std::get_if<ast::IntegerNumber>(&expr.node)) {
    if (std::abs(node->value) >= exact_limit)
      emit_.fail(expr.span, "numbers of 2^53 and more in 64-bit classes are outside the language");
    return whole(Binding::integer(integer_class_of_bits(node->bits, node->is_signed),
                                  emit_.builder.constant(node->value, Element::integer)));
  }
  if (const auto* node = std::get_if<ast::String>(&expr.node))
    return {Binding::string(node->text, node->double_quoted)};
  if (const auto* node = std::get_if<ast::Identifier>(&expr.node)) {
    if (frame_->env.count(node->name) != 0 || frame_->assigned.count(node->name) != 0)
      return {lookup(node->name, expr.span)};
    std::vector<Binding> values = call_named(node->name, {}, nargout, expr.span, expr.span);
    if (values.size() == 1) values.front() = result_within(expr, values.front());
    return values;
  }
  if (const auto access = ast::access_of(expr)) {
    std::vector<Binding> values = lower_access(expr, *access, nargout, expr.span);
    emit_.builder.location = outer;
    if (values.size() == 1) values.front() = result_within(expr, values.front());
    return values;
  }
  if (const auto* node = std::get_if<ast::Cell>(&expr.node)) {
    emit_.at(expr.span);
    const Binding value = lower_cell(*node, expr.span);
    emit_.builder.location = outer;
    return {value};
  }
  if (const auto* node = std::get_if<ast::AnonymousFunction>(&expr.node)) return {capture(*node, expr.span)};
  if (const auto* node = std::get_if<ast::FunctionHandle>(&expr.node))
    return {function_named(node->name.text, expr.span)};
  if (const auto* node = std::get_if<ast::Range>(&expr.node)) return whole(lower_range(*node, expr.span));
  const auto back = [&](Binding value) {
    emit_.builder.location = outer;
    return std::vector<Binding>{std::move(value)};
  };
  if (const auto* node = std::get_if<ast::Assignment>(&expr.node)) return back(lower_assignment(*node, expr.span));
  if (const auto* node = std::get_if<ast::Unary>(&expr.node)) return back(lower_unary(*node, expr.span));
  if (const auto* node = std::get_if<ast::Postfix>(&expr.node)) {
    const bool turns = node->op == ast::PostfixOp::hermitian || node->op == ast::PostfixOp::transpose;
    if (!turns) return back(lower_postfix(*node, expr.span));
    const Binding operand = lower_expr(*node->operand);
    emit_.at(expr.span);
    return back(transposed(operand, *node->operand, node->op == ast::PostfixOp::hermitian));
  }
  if (const auto* node = std::get_if<ast::Binary>(&expr.node)) return back(lower_binary(*node, expr.span));
  if (const auto* node = std::get_if<ast::Matrix>(&expr.node)) {
    emit_.at(expr.span);
    const Binding value = lower_matrix(*node, expr.span);
    emit_.builder.location = outer;
    return {value};
  }
  if (std::holds_alternative<ast::End>(expr.node)) return one(lower_end(expr.span));
  emit_.fail(expr.span, "':' can only be used as an index");
}

// @(params) body, with the variables that it reads as they are now.
Binding Lowerer::capture(const ast::AnonymousFunction& node, Span span) {
  auto closure = std::make_shared<Closure>();
  closure->anonymous = &node;
  closure->span = span;
  std::set<std::string> names;
  read_names(*node.body, names);
  for (const ast::Parameter& parameter : node.params) names.erase(parameter.name.text);
  for (const std::string& name : names)
    if (frame_->env.count(name)) put(closure->captured, name, lookup(name, span));
  return Binding::handle(closure);
}

Binding Lowerer::lower_range(const ast::Range& node, Span span) {
  bool of_text = false;
  const RangeParts parts = range_parts(node, &of_text);
  emit_.at(span);
  const auto fact = exact_range(emit_, parts);
  const ValueId value = fact ? integer_range_value(emit_, *fact) : range_value(emit_, parts, span);
  if (of_text) return Binding::computed_text(emit_.builder.convert(value, Element::integer), false);
  if (parts.integer_class == IntegerClass::none) return Binding::matrix(value);
  return Binding::integer(parts.integer_class, emit_.builder.convert(value, Element::integer));
}

Binding Lowerer::lower_unary(const ast::Unary& node, Span span) {
  if (node.op == ast::UnaryOp::increment || node.op == ast::UnaryOp::decrement)
    return step_variable(*node.operand, node.op == ast::UnaryOp::increment, true, node.op_span);
  const Binding given = lower_operand(*node.operand);
  emit_.at(span);
  if (has_no_operators(given)) refuse_operator("unary", ast::spelling(node.op), {given}, span);
  if (element_class(given) != IntegerClass::none) return integer_unary(given, node.op, span);
  if (given.is_complex() && node.op == ast::UnaryOp::plus) return complex_binding(emit_, parts_of(emit_, given));
  if (given.is_complex() && node.op == ast::UnaryOp::minus) return negate(emit_, given, span);
  const Binding operand = given.is_complex() ? Binding::matrix(nonzero(emit_, parts_of(emit_, given), span)) : given;
  return of_elements(emit_, operand, [&](ValueId value) {
    if (node.op == ast::UnaryOp::minus) return negate(emit_, value, span);
    if (node.op != ast::UnaryOp::plus) return elementwise(emit_, ScalarOp::logical_not, {value}, span, "!");
    const bool logical = emit_.type(value).element == Element::logical && emit_.type(value).is_dense();
    return logical ? emit_.builder.convert(value, Element::integer) : value;
  });
}

Binding Lowerer::integer_unary(const Binding& operand, ast::UnaryOp op, Span span) {
  if (op == ast::UnaryOp::plus) return operand;
  const Binding numbers = numbers_of(operand);
  const auto apply = [&](ScalarOp function, const std::string& name) {
    return of_elements(emit_, numbers,
                       [&](ValueId value) { return elementwise(emit_, function, {value}, span, name); });
  };
  if (op == ast::UnaryOp::minus) return in_class(emit_, element_class(operand), apply(ScalarOp::neg, "-"));
  return apply(ScalarOp::logical_not, "!");
}

Binding Lowerer::lower_postfix(const ast::Postfix& node, Span) {
  return step_variable(*node.operand, node.op == ast::PostfixOp::increment, false, node.op_span);
}

// x' and x.': a string stays one, cells and structs change places.
Binding Lowerer::transposed(const Binding& operand, const ast::Expr& expr, bool conjugates) {
  if (operand.is_array()) emit_.fail(expr.span, "transpose not defined for N-D objects");
  if (operand.is_aggregate()) return call_by_name("transpose", {operand}, 1, expr.span).front();
  if (operand.is_text())
    return Binding::computed_text(transpose(emit_, characters(emit_, operand)), operand.double_quoted);
  if (operand.is_complex()) return transpose(emit_, operand, conjugates, expr.span);
  if (operand.is_integer()) return operand.with_value(transpose(emit_, operand.value));
  return Binding::matrix(transpose(emit_, as_value(operand, expr)));
}

Binding Lowerer::lower_binary(const ast::Binary& node, Span span) {
  emit_.at(span);
  if (node.op == ast::BinaryOp::short_and || node.op == ast::BinaryOp::short_or)
    return Binding::matrix(short_circuit(node, condition(*node.left), &Lowerer::condition));
  const Binding left = lower_operand(*node.left);
  const Binding right = lower_operand(*node.right);
  emit_.at(span);
  return operated(node.op, left, right, {node.left->span, node.right->span, node.op_span, span});
}

// An operator on values of any kind that has one.
Binding Lowerer::operated(ast::BinaryOp op, const Binding& left, const Binding& right, OperandsAtHand at_hand) {
  if (has_no_operators(left) || has_no_operators(right))
    refuse_operator("binary", ast::spelling(op), {left, right}, at_hand.whole);
  const bool complex = left.is_complex() || right.is_complex();
  const bool integer = integer_class_of({left, right}) != IntegerClass::none;
  if (left.is_array() || right.is_array()) {
    if (integer && !complex) return integer_array_binary(emit_, op, left, right, at_hand.whole);
    if (complex) emit_.fail(at_hand.whole, std::string(complex_arrays));
    return array_binary(emit_, op, left, right, at_hand.whole);
  }
  if (integer) return integer_binary(emit_, op, left, right, at_hand.whole);
  if (is_power_by_loop(emit_, op, left, right))
    return call_by_name("power_by_squaring", {left, right}, 1, at_hand.whole)[0];
  emit_.operands = {};
  if (!complex) {
    at_hand.left_value = left.value;
    at_hand.right_value = right.value;
    emit_.operands = at_hand;
  }
  return binary(emit_, op, left, right, at_hand.whole);
}

ValueId Lowerer::lower_end(Span span) {
  if (ends_.empty()) emit_.fail(span, "'end' outside of an index");
  return emit_.builder.size(ends_.back().extent());
}

Size Lowerer::EndContext::extent() const {
  if (count == 1) return rows * cols;
  return position == 0 ? rows : position == 1 ? cols : Size(1);
}

// ++x and x++: the variable, or elements of it, after and before the step.
Binding Lowerer::step_variable(const ast::LValue& target, bool up, bool after, Span op_span) {
  if (!names_stepped_in(target).empty())
    emit_.fail(target.span,
               "++ and -- in the subscripts of what ++ or -- steps are not supported: write a statement of its own");
  const ast::ExprPtr expr = expression_of(target);
  const OpId first = next_op(emit_.graph);
  const Binding given = lower_expr(*expr);
  require_no_effect(emit_, first, target.span);
  const bool is_number = given.is_complex() || given.is_integer();
  const Binding old = is_number ? given : Binding::matrix(as_value(given, *expr));
  emit_.at(op_span);
  const ast::BinaryOp op = up ? ast::BinaryOp::add : ast::BinaryOp::subtract;
  const Binding unit = Binding::matrix(emit_.builder.constant(1, Element::integer));
  const Binding next =
      old.is_integer() ? integer_binary(emit_, op, old, unit, op_span) : binary(emit_, op, old, unit, op_span);
  assign(target, next, false);
  return after ? next : old;
}

Binding Lowerer::step_variable(const ast::Expr& operand, bool up, bool after, Span op_span) {
  const auto target = ast::target_of(strip_parens(operand));
  if (!target) emit_.fail(op_span, "++ and -- need a variable or elements of one");
  return step_variable(*target, up, after, op_span);
}

RangeParts Lowerer::range_parts(const ast::Range& node, bool* of_text) {
  RangeParts parts;
  parts.some = emit_.builder.constant(1, Element::logical);
  parts.first = range_part(*node.first, "the base of a range", parts, of_text);
  parts.step = node.step ? range_part(*node.step, "the increment of a range", parts, nullptr)
                         : emit_.builder.constant(1, Element::integer);
  parts.last = range_part(*node.last, "the limit of a range", parts, of_text);
  if (parts.integer_class != IntegerClass::none) bring_range(emit_, parts, node.last->span);
  return parts;
}

ValueId Lowerer::range_part(const ast::Expr& expr, const std::string& what, RangeParts& parts, bool* of_text) {
  if (const auto number = literal_number(expr)) return number_of_range(emit_, *number);
  Binding value = lower_expr(expr);
  if (value.is_aggregate() && !value.is_array()) emit_.fail(expr.span, "invalid types found in range");
  if (value.is_text() && of_text) {
    *of_text = true;
    value = Binding::matrix(operand_codes(emit_, value));
  }
  if (value.is_integer()) {
    if (parts.integer_class != IntegerClass::none && parts.integer_class != value.integer_class)
      emit_.fail(expr.span, "incompatible types found in range expression");
    parts.integer_class = value.integer_class;
  }
  return part_of_range(emit_, as_value(value.numbers(), expr), expr.span, what, &parts.some);
}

}  // namespace lac::frontend
