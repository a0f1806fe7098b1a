// Trees that no one has written.
#pragma once

#include <string>
#include <vector>

#include "frontend/ast/ast.h"

namespace lac::frontend {

ast::ExprPtr tree(ast::Expr::Node node, Span span);
ast::ExprPtr identifier(const std::string& name, Span span);
ast::ExprPtr numeral(double value, Span span);
ast::ExprPtr logical(bool value, Span span);
/// callee(args...)
ast::ExprPtr index(const std::string& callee, std::vector<ast::ExprPtr> args, Span span);
ast::ExprPtr binary(ast::BinaryOp op, ast::ExprPtr left, ast::ExprPtr right);
/// a || b
ast::ExprPtr either(ast::ExprPtr left, ast::ExprPtr right);

ast::LValue target(const std::string& name, Span span);
ast::Statement assignment(ast::LValue target, ast::ExprPtr value, Span span, bool print);
ast::Statement assignment(const std::string& name, ast::ExprPtr value, Span span);
ast::Statement conditional(ast::ExprPtr condition, ast::Block body, Span span);

}  // namespace lac::frontend
