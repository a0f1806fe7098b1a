// What a condition says of sizes where it holds: behind `while !isempty(queue)` there is an element.
#include <algorithm>

#include "frontend/sema/names/names.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/values/aggregate.h"

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

}  // namespace

void Lowerer::note_condition(const ast::Expr& condition, bool holds) {
  const ast::Expr& expr = ast::strip_parens(condition);
  if (const auto* node = std::get_if<ast::Unary>(&expr.node)) {
    if (node->op == ast::UnaryOp::logical_not) note_condition(*node->operand, !holds);
    return;
  }
  if (const auto* node = std::get_if<ast::Binary>(&expr.node)) {
    const bool all = node->op == (holds ? ast::BinaryOp::short_and : ast::BinaryOp::short_or);
    if (all) {
      note_condition(*node->left, holds);
      note_condition(*node->right, holds);
      return;
    }
    const auto count = asked_of(*node->left);
    const auto* number = std::get_if<ast::Number>(&ast::strip_parens(*node->right).node);
    const auto op = holds ? std::optional(node->op) : opposite(node->op);
    if (count && number && op && (count->function == "numel" || count->function == "length") &&
        leaves_out_zero(*op, number->value))
      note_elements(count->function, count->variable);
    return;
  }
  if (const auto asked = asked_of(expr))
    if (asked->function == (holds ? "numel" : "isempty")) note_elements(asked->function, asked->variable);
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
    const Type& t = emit_.type(value.value);
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
