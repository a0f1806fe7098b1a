// What a condition says of sizes where it holds: behind `while !isempty(queue)` there is an element.
#include <algorithm>
#include <cmath>

#include "frontend/sema/names/names.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/values/aggregate.h"
#include "ir/types/powers.h"

namespace lac::frontend {
namespace {

/// isempty(x), numel(x) and the like of a variable.
struct Asked {
  std::string function, variable;
};

std::optional<Asked> asked_of(const ast::Expr& expr) {
  const auto* call = std::get_if<ast::Index>(&ast::strip_parens(expr).node);
  const auto* function = call && call->args.size() == 1 ? std::get_if<ast::Identifier>(&call->callee->node) : nullptr;
  const auto* variable = function ? std::get_if<ast::Identifier>(&ast::strip_parens(*call->args[0]).node) : nullptr;
  if (!variable) return std::nullopt;
  return Asked{function->name, variable->name};
}

/// Whether `n op number`, for a count n, holds for some counts above 0 and not for 0.
bool leaves_out_zero(ast::BinaryOp op, double number) {
  switch (op) {
    case ast::BinaryOp::greater: return number >= 0;
    case ast::BinaryOp::greater_equal: return number > 0;
    case ast::BinaryOp::equal: return number > 0;
    case ast::BinaryOp::not_equal: return number == 0;
    default: return false;
  }
}

std::optional<ast::BinaryOp> opposite(ast::BinaryOp op) {
  switch (op) {
    case ast::BinaryOp::less: return ast::BinaryOp::greater_equal;
    case ast::BinaryOp::less_equal: return ast::BinaryOp::greater;
    case ast::BinaryOp::equal: return ast::BinaryOp::not_equal;
    default: return std::nullopt;
  }
}

constexpr double largest_told = 1 << 30;  // of a number that is compared with

}  // namespace

bool Lowerer::note_condition(const ast::Expr& condition, bool holds) {
  const ast::Expr& expr = ast::strip_parens(condition);
  if (const auto* node = std::get_if<ast::Unary>(&expr.node))
    return node->op == ast::UnaryOp::logical_not && note_condition(*node->operand, !holds);
  if (const auto* node = std::get_if<ast::Binary>(&expr.node)) {
    const bool all = node->op == (holds ? ast::BinaryOp::short_and : ast::BinaryOp::short_or);
    if (all) {
      const bool left = note_condition(*node->left, holds), right = note_condition(*node->right, holds);
      return left || right;
    }
    const auto count = asked_of(*node->left);
    const auto* number = std::get_if<ast::Number>(&ast::strip_parens(*node->right).node);
    const auto op = holds ? std::optional(node->op) : opposite(node->op);
    const bool some = count && number && op && (count->function == "numel" || count->function == "length") &&
                      leaves_out_zero(*op, number->value);
    if (some) note_elements(count->function, count->variable);
    return (holds && note_comparison(*node)) || some;  // of NaN no comparison holds
  }
  const auto asked = asked_of(expr);
  if (!asked || asked->function != (holds ? "numel" : "isempty")) return false;
  note_elements(asked->function, asked->variable);
  return true;
}

// What holds of whole numbers: `k >= 1`, `k + 1 <= n`, `k <= numel(x)`.
bool Lowerer::note_comparison(const ast::Binary& node) {
  const auto left = size_told_by(*node.left), right = size_told_by(*node.right);
  if (!left || !right) return false;
  switch (node.op) {
    case ast::BinaryOp::less: emit_.facts.note_nonnegative(*right - *left - 1); break;
    case ast::BinaryOp::less_equal: emit_.facts.note_nonnegative(*right - *left); break;
    case ast::BinaryOp::greater: emit_.facts.note_nonnegative(*left - *right - 1); break;
    case ast::BinaryOp::greater_equal: emit_.facts.note_nonnegative(*left - *right); break;
    default: return false;
  }
  return true;
}

// Of what can be read once more without a trace.
std::optional<Size> Lowerer::size_told_by(const ast::Expr& written) {
  const ast::Expr& expr = ast::strip_parens(written);
  if (const auto* number = std::get_if<ast::Number>(&expr.node)) {
    const bool whole = std::trunc(number->value) == number->value && number->value <= largest_told;
    return whole ? std::optional<Size>(static_cast<std::int64_t>(number->value)) : std::nullopt;
  }
  if (const auto* sum = std::get_if<ast::Binary>(&expr.node)) {
    if (sum->op != ast::BinaryOp::add && sum->op != ast::BinaryOp::subtract) return std::nullopt;
    const auto left = size_told_by(*sum->left), right = size_told_by(*sum->right);
    if (!left || !right) return std::nullopt;
    return sum->op == ast::BinaryOp::add ? *left + *right : *left - *right;
  }
  const auto* name = std::get_if<ast::Identifier>(&expr.node);
  const auto asked = asked_of(expr);
  const auto found = frame_->env.find(name ? name->name : asked ? asked->variable : std::string());
  if (found == frame_->env.end() || !found->second.is_matrix() || found->second.defined) return std::nullopt;
  const Type t = emit_.type(found->second.value);
  const bool is_whole = t.is_scalar() && t.element == Element::integer;
  if (name) return is_whole ? std::optional<Size>(as_size(emit_.graph, found->second.value)) : std::nullopt;
  const bool counts = asked->function == "numel" || (asked->function == "length" && t.is_vector());
  const bool is_builtin = !defines(asked->function) && frame_->env.count(asked->function) == 0;
  return counts && is_builtin ? std::optional<Size>(t.count()) : std::nullopt;
}

// Behind `mod(m, n) == 0` and the like, of an integer m and a power of two n, m is a multiple of n. By other numbers
// what doubles do not hold exactly has rests that are rounded.
void Lowerer::note_multiple(ValueId condition, bool holds) {
  const Op* made = emit_.graph.definition(condition);
  if (!made) return;
  if (made->kind == OpKind::convert) return note_multiple(made->operands[0], holds);
  if (made->kind != OpKind::map) return;
  const ScalarOp function = attribute<ScalarOp>(*made);
  if (function == ScalarOp::logical_not) return note_multiple(made->operands[0], !holds);
  if (function == (holds ? ScalarOp::logical_and : ScalarOp::logical_or)) {
    for (const ValueId operand : std::vector(made->operands)) note_multiple(operand, holds);
    return;
  }
  const Op* rest = made->operands.size() == 2 ? emit_.graph.definition(made->operands[0]) : nullptr;
  if (!rest || rest->kind != OpKind::map || emit_.type(rest->results[0]).element != Element::integer) return;
  const ScalarOp of = attribute<ScalarOp>(*rest);
  const auto modulus = of == ScalarOp::mod || of == ScalarOp::rem ? emit_.constant_of(rest->operands[1]) : std::nullopt;
  const auto asked = emit_.constant_of(made->operands[1]);
  if (!modulus || !is_power_of_two(*modulus) || !asked || !emit_.type(rest->operands[0]).is_scalar()) return;
  const auto asks = [&](ScalarOp where_it_holds, ScalarOp elsewhere) {
    return function == (holds ? where_it_holds : elsewhere);
  };
  const bool is_zero = *asked == 0 && asks(ScalarOp::eq, ScalarOp::ne);
  const bool is_even = *asked == 1 && *modulus == 2 && of == ScalarOp::mod && asks(ScalarOp::ne, ScalarOp::eq);
  if (is_zero || is_even) emit_.facts.checked.multiples.insert_or_assign(rest->operands[0], *modulus);
}

// `function` of the variable tells that it has elements.
void Lowerer::note_elements(const std::string& function, const std::string& variable) {
  if (defines(function) || frame_->env.count(function) != 0 || frame_->env.count(variable) == 0) return;
  const Binding value = whole(frame_->env, variable);
  const auto some = [&](const Size& count) { emit_.facts.note_nonnegative(count - 1); };
  if (value.is_cell() || value.is_record()) {
    const Size count = count_of(emit_, *value.aggregate);
    some(count);
    if (!value.aggregate->stacked || !has_fields_alike(variable)) return;
    for (const Slot& slot : value.aggregate->slots) {
      const Size own = count_of(emit_, slot);
      emit_.refuse_unless(emit_.equal_sizes(own, count),
                          "the field '" + slot.name + "' has no value in the last structs of '" + variable + "'");
      some(own);
    }
  } else if (value.is_matrix() || value.is_integer() || (value.is_text() && !value.is_known_text())) {
    const Type t = emit_.type(value.value);
    some(t.rows);
    some(t.cols);
  }
}

// Where the text assigns structs as a whole, all of them have all of their fields: no field ends before the others.
bool Lowerer::has_fields_alike(const std::string& variable) const {
  const auto is_it = [&](const ast::Parameter& each) { return each.name.text == variable; };
  const bool from_elsewhere =
      frame_->shared.count(variable) != 0 || (frame_->function && std::ranges::any_of(frame_->function->params, is_it));
  return !from_elsewhere && frame_->body && !assigns_fields(*frame_->body, variable);
}

}  // namespace lac::frontend
