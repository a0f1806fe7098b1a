#include "frontend/grammar/build.h"

#include <algorithm>
#include <utility>

#include "frontend/ast/children.h"

namespace lac::frontend::grammar {
namespace {

using ast::Expr;
using ast::ExprPtr;

std::uint32_t height(const ExprPtr& expr) { return expr ? expr->height : 0; }

std::uint32_t tallest(const std::vector<ExprPtr>& exprs) {
  std::uint32_t result = 0;
  for (const ExprPtr& expr : exprs) result = std::max(result, height(expr));
  return result;
}

ExprPtr make(Span span, Expr::Node node, std::uint32_t below, const Token& where) {
  if (below >= max_height) {
    throw SyntaxError{&where,
                      "this expression chains more than " + std::to_string(max_height) +
                          " operators: compute it in several statements",
                      {},
                      {}};
  }
  return std::make_shared<const Expr>(Expr{span, std::move(node), below + 1});
}

ExprPtr leaf(const Token& token, Expr::Node node) { return make(token.span, std::move(node), 0, token); }

/// `x(i)(j) = e`, which Octave refuses as well.
bool chains_parens(const ast::LValue& target) {
  for (std::size_t i = 1; i < target.path.size(); ++i)
    if (target.path[i - 1].kind == ast::Accessor::Kind::parens && target.path[i].kind == ast::Accessor::Kind::parens)
      return true;
  return false;
}

/// An assignment within the body of an anonymous function, as Octave's parser refuses it.
const ast::Assignment* assignment_in(const ast::Expr& body) {
  if (const auto* found = std::get_if<ast::Assignment>(&body.node)) return found;
  if (std::holds_alternative<ast::AnonymousFunction>(body.node)) return nullptr;  // was looked at on its own
  const ast::Assignment* found = nullptr;
  ast::for_each_child_of(body.node, [&](const ExprPtr& child) { found = found ? found : assignment_in(*child); });
  return found;
}

void require_variable(const ExprPtr& operand, const Token& op) {
  if (ast::target_of(*operand)) return;
  throw SyntaxError{&op, "the operand of " + std::string(name_of(op.kind)) + " must be a variable", {}, operand->span};
}

}  // namespace

ast::Name make_name(const Token& token) { return {token.text, token.span}; }

ast::Parameter make_parameter(const Token& token) {
  if (token.kind == TokenKind::bang) return {{"~", token.span}, true};
  return {make_name(token), false};
}

ExprPtr make_number(const Token& token) {
  if (token.imaginary) return leaf(token, ast::ImaginaryNumber{token.number});
  if (token.integer_bits != 0)
    return leaf(token, ast::IntegerNumber{token.number, token.integer_bits, token.integer_signed});
  return leaf(token, ast::Number{token.number});
}
ExprPtr make_string(const Token& token) { return leaf(token, ast::String{token.text, token.double_quoted}); }
ExprPtr make_identifier(const Token& token) { return leaf(token, ast::Identifier{token.text}); }
ExprPtr make_colon(const Token& token) { return leaf(token, ast::Colon{}); }
ExprPtr make_end(const Token& token) { return leaf(token, ast::End{}); }

ExprPtr make_paren(Enclosed<ExprPtr> inner) {
  const std::uint32_t below = height(inner.inner);
  return make(inner.span(), ast::Paren{std::move(inner.inner)}, below, *inner.open);
}

ExprPtr make_matrix(MatrixRows rows) {
  std::uint32_t below = 0;
  for (const auto& row : rows.inner) below = std::max(below, tallest(row));
  return make(rows.span(), ast::Matrix{std::move(rows.inner)}, below, *rows.open);
}

ExprPtr make_index(ExprPtr callee, Arguments args) {
  const std::uint32_t below = std::max(height(callee), tallest(args.inner));
  const Span span = join(callee->span, args.close->span);
  return make(span, ast::Index{std::move(callee), std::move(args.inner), args.span()}, below, *args.open);
}

ExprPtr make_cell(MatrixRows rows) {
  std::uint32_t below = 0;
  for (const auto& row : rows.inner) below = std::max(below, tallest(row));
  return make(rows.span(), ast::Cell{std::move(rows.inner)}, below, *rows.open);
}

ExprPtr make_brace_index(ExprPtr callee, Arguments args) {
  const std::uint32_t below = std::max(height(callee), tallest(args.inner));
  const Span span = join(callee->span, args.close->span);
  return make(span, ast::BraceIndex{std::move(callee), std::move(args.inner), args.span()}, below, *args.open);
}

ExprPtr make_field(ExprPtr base, const Token& field) {
  const std::uint32_t below = height(base);
  const Span span = join(base->span, field.span);
  return make(span, ast::Field{std::move(base), make_name(field), nullptr}, below, field);
}

ExprPtr make_dynamic_field(ExprPtr base, Enclosed<ExprPtr> name) {
  const std::uint32_t below = std::max(height(base), height(name.inner));
  const Span span = join(base->span, name.close->span);
  return make(span, ast::Field{std::move(base), {}, std::move(name.inner)}, below, *name.open);
}

ExprPtr make_handle(const Token& at, const Token& name) {
  return make(join(at.span, name.span), ast::FunctionHandle{make_name(name)}, 0, at);
}

ExprPtr make_anonymous(const Token& at, Parameters params, ExprPtr body) {
  if (const ast::Assignment* found = assignment_in(*body))
    throw SyntaxError{&at, "an anonymous function assigns nothing: write a function", {}, found->op_span};
  const std::uint32_t below = height(body);
  const Span span = join(at.span, body->span);
  return make(span, ast::AnonymousFunction{std::move(params.inner), std::move(body)}, below, at);
}

ExprPtr make_unary(const Tail<ast::UnaryOp>& prefix) {
  const bool counts = prefix.op == ast::UnaryOp::increment || prefix.op == ast::UnaryOp::decrement;
  if (counts) require_variable(prefix.operand, *prefix.token);
  return make(join(prefix.token->span, prefix.operand->span), ast::Unary{prefix.op, prefix.token->span, prefix.operand},
              height(prefix.operand), *prefix.token);
}

ExprPtr make_postfix(ExprPtr operand, ast::PostfixOp op, const Token& token) {
  const bool counts = op == ast::PostfixOp::increment || op == ast::PostfixOp::decrement;
  if (counts) require_variable(operand, token);
  const std::uint32_t below = height(operand);
  const Span span = join(operand->span, token.span);
  return make(span, ast::Postfix{op, token.span, std::move(operand)}, below, token);
}

ExprPtr make_binary(ExprPtr left, const Tail<ast::BinaryOp>& tail) {
  const std::uint32_t below = std::max(height(left), height(tail.operand));
  const Span span = join(left->span, tail.operand->span);
  return make(span, ast::Binary{tail.op, tail.token->span, std::move(left), tail.operand}, below, *tail.token);
}

ExprPtr make_range(const std::vector<ExprPtr>& parts) {
  const Span span = join(parts.front()->span, parts.back()->span);
  const ExprPtr step = parts.size() == 3 ? parts[1] : nullptr;
  const std::uint32_t below = tallest(parts);
  return std::make_shared<const Expr>(Expr{span, ast::Range{parts.front(), step, parts.back()}, below + 1});
}

ast::LValue make_target(const Token& name) {
  if (name.kind == TokenKind::bang) return {{"~", name.span}, std::nullopt, {}, true, name.span};
  return {make_name(name), std::nullopt, {}, false, name.span};
}

ast::LValue with_args(ast::LValue target, Arguments args) {
  if (target.ignored) throw SyntaxError{args.open, "'~' takes no index", {}, {}};
  return ast::extended(std::move(target),
                       {ast::Accessor::Kind::parens, std::move(args.inner), {}, nullptr, args.span()});
}

ast::LValue with_braces(ast::LValue target, Arguments args) {
  if (target.ignored) throw SyntaxError{args.open, "'~' takes no index", {}, {}};
  return ast::extended(std::move(target),
                       {ast::Accessor::Kind::braces, std::move(args.inner), {}, nullptr, args.span()});
}

ast::LValue with_field(ast::LValue target, const Token& field) {
  if (target.ignored) throw SyntaxError{&field, "'~' has no fields", {}, {}};
  return ast::extended(std::move(target), {ast::Accessor::Kind::field, {}, make_name(field), nullptr, field.span});
}

ast::LValue with_dynamic_field(ast::LValue target, Enclosed<ExprPtr> name) {
  if (target.ignored) throw SyntaxError{name.open, "'~' has no fields", {}, {}};
  return ast::extended(std::move(target), {ast::Accessor::Kind::field, {}, {}, name.inner, name.span()});
}

ast::LValue make_target(const Expr& expr, const Token& assign) {
  if (auto target = ast::target_of(expr)) {
    if (chains_parens(*target))
      throw SyntaxError{&assign, "a chain of indices cannot be assigned to: index once", {}, expr.span};
    return *std::move(target);
  }
  throw SyntaxError{&assign,
                    "the target of " + std::string(name_of(assign.kind)) +
                        " must be a variable, 'x' or 'x(indices)'; to compare, write '=='",
                    {},
                    expr.span};
}

ExprPtr make_assignment(ExprPtr target, const Tail<std::optional<ast::BinaryOp>>& tail) {
  make_target(*target, *tail.token);  // or an error
  const std::uint32_t below = std::max(height(target), height(tail.operand));
  const Span span = join(target->span, tail.operand->span);
  return make(span, ast::Assignment{std::move(target), tail.op, tail.token->span, tail.operand}, below, *tail.token);
}

ast::Assign make_assign(std::vector<ast::LValue> targets, bool bracketed,
                        const Tail<std::optional<ast::BinaryOp>>& tail) {
  return {std::move(targets), {}, bracketed, tail.op, tail.token->span, tail.operand, false};
}

void chain_assign(ast::Assign& assign, const Tail<std::optional<ast::BinaryOp>>& tail) {
  assign.chained.push_back(make_target(*assign.value, *tail.token));
  assign.value = tail.operand;
}

ast::Statement::Node make_expression_statement(ExprPtr expr, const Token& behind) {
  if (const auto* postfix = std::get_if<ast::Postfix>(&expr->node)) {
    const bool up = postfix->op == ast::PostfixOp::increment;
    if (up || postfix->op == ast::PostfixOp::decrement) {
      return ast::IncDec{make_target(*postfix->operand, behind), up, false, postfix->op_span, false};
    }
  }
  if (const auto* inner = std::get_if<ast::Assignment>(&ast::strip_parens(*expr).node))  // Octave shows the target
    return ast::Assign{
        {make_target(*inner->target, behind)}, {}, false, inner->op, inner->op_span, inner->value, false};
  if (const auto* unary = std::get_if<ast::Unary>(&expr->node)) {
    const bool up = unary->op == ast::UnaryOp::increment;
    if (up || unary->op == ast::UnaryOp::decrement) {
      return ast::IncDec{make_target(*unary->operand, behind), up, true, unary->op_span, false};
    }
  }
  return ast::ExprStatement{std::move(expr), false};
}

void set_print(ast::Statement& statement, bool print) {
  std::visit(
      [&](auto& node) {
        if constexpr (requires { node.print; }) node.print = print;
      },
      statement.node);
}

}  // namespace lac::frontend::grammar
