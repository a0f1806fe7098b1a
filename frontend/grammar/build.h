// Makes nodes from tokens and smaller nodes; the grammar's actions call nothing else. Free of Boost.
// Every function may throw SyntaxError.
#pragma once

#include <optional>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/grammar/state.h"
#include "frontend/lexer/token.h"

namespace lac::frontend::grammar {

/// An opening bracket, what it holds, and the bracket that closes it.
template <class T>
struct Enclosed {
  const Token* open = nullptr;
  T inner = {};
  const Token* close = nullptr;

  Span span() const { return join(open->span, close->span); }
};

/// An operator and the operand that follows it.
template <class Op>
struct Tail {
  Op op = {};
  const Token* token = nullptr;
  ast::ExprPtr operand = nullptr;
};

using Arguments = Enclosed<std::vector<ast::ExprPtr>>;
using MatrixRows = Enclosed<std::vector<std::vector<ast::ExprPtr>>>;
using Parameters = Enclosed<std::vector<ast::Parameter>>;

ast::Name make_name(const Token& token);
ast::Parameter make_parameter(const Token& token);

ast::ExprPtr make_number(const Token& token);
ast::ExprPtr make_string(const Token& token);
ast::ExprPtr make_identifier(const Token& token);
ast::ExprPtr make_colon(const Token& token);
ast::ExprPtr make_end(const Token& token);
ast::ExprPtr make_paren(Enclosed<ast::ExprPtr> inner);
ast::ExprPtr make_matrix(MatrixRows rows);
ast::ExprPtr make_cell(MatrixRows rows);
ast::ExprPtr make_index(ast::ExprPtr callee, Arguments args);
ast::ExprPtr make_brace_index(ast::ExprPtr callee, Arguments args);
ast::ExprPtr make_field(ast::ExprPtr base, const Token& field);
ast::ExprPtr make_dynamic_field(ast::ExprPtr base, Enclosed<ast::ExprPtr> name);
ast::ExprPtr make_handle(const Token& at, const Token& name);
ast::ExprPtr make_anonymous(const Token& at, Parameters params, ast::ExprPtr body);
ast::ExprPtr make_unary(const Tail<ast::UnaryOp>& prefix);
ast::ExprPtr make_postfix(ast::ExprPtr operand, ast::PostfixOp op, const Token& token);
ast::ExprPtr make_binary(ast::ExprPtr left, const Tail<ast::BinaryOp>& tail);
/// `target = e` within an expression.
ast::ExprPtr make_assignment(ast::ExprPtr target, const Tail<std::optional<ast::BinaryOp>>& tail);
/// `parts` are first, last or first, step, last.
ast::ExprPtr make_range(const std::vector<ast::ExprPtr>& parts);

/// What `expr = ...` assigns to; `assign` is the operator, for the message.
ast::LValue make_target(const ast::Expr& expr, const Token& assign);
ast::LValue make_target(const Token& name);
/// `name` with accessors, put together one by one.
ast::LValue with_args(ast::LValue target, Arguments args);
ast::LValue with_braces(ast::LValue target, Arguments args);
ast::LValue with_field(ast::LValue target, const Token& field);
ast::LValue with_dynamic_field(ast::LValue target, Enclosed<ast::ExprPtr> name);

/// `targets[0] op value`, or `[targets...] = value`.
ast::Assign make_assign(std::vector<ast::LValue> targets, bool bracketed,
                        const Tail<std::optional<ast::BinaryOp>>& tail);
/// `... = value = e`, where what was the value becomes a target.
void chain_assign(ast::Assign& assign, const Tail<std::optional<ast::BinaryOp>>& tail);
/// An expression as a statement: IncDec for `x++` and `--x`.
/// `behind`: the token after the expression.
ast::Statement::Node make_expression_statement(ast::ExprPtr expr, const Token& behind);

/// The statement's value is printed when no ';' follows; no effect on statements that have none.
void set_print(ast::Statement& statement, bool print);

}  // namespace lac::frontend::grammar
