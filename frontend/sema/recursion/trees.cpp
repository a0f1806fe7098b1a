#include "frontend/sema/recursion/trees.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "frontend/sema/names/names.h"

namespace lac::frontend {

ast::ExprPtr tree(ast::Expr::Node node, Span span) {
  ast::Expr made{span, std::move(node)};
  for_each_child(made, [&](const ast::ExprPtr& child) { made.height = std::max(made.height, child->height + 1); });
  return std::make_shared<const ast::Expr>(std::move(made));
}

ast::ExprPtr identifier(const std::string& name, Span span) { return tree(ast::Identifier{name}, span); }

ast::ExprPtr numeral(double value, Span span) { return tree(ast::Number{value}, span); }

ast::ExprPtr logical(bool value, Span span) { return index(value ? "true" : "false", {}, span); }

ast::ExprPtr index(const std::string& callee, std::vector<ast::ExprPtr> args, Span span) {
  return tree(ast::Index{identifier(callee, span), std::move(args), span}, span);
}

ast::ExprPtr binary(ast::BinaryOp op, ast::ExprPtr left, ast::ExprPtr right) {
  const Span span = join(left->span, right->span);
  return tree(ast::Binary{op, span, std::move(left), std::move(right)}, span);
}

ast::ExprPtr either(ast::ExprPtr left, ast::ExprPtr right) {
  return binary(ast::BinaryOp::short_or, std::move(left), std::move(right));
}

ast::LValue target(const std::string& name, Span span) { return {{name, span}, std::nullopt, {}, false, span}; }

ast::Statement assignment(ast::LValue target, ast::ExprPtr value, Span span, bool print) {
  ast::Assign made;
  made.targets = {std::move(target)};
  made.op_span = span;
  made.value = std::move(value);
  made.print = print;
  return {span, std::move(made)};
}

ast::Statement assignment(const std::string& name, ast::ExprPtr value, Span span) {
  return assignment(target(name, span), std::move(value), span, false);
}

ast::Statement conditional(ast::ExprPtr condition, ast::Block body, Span span) {
  ast::If made;
  made.arms.push_back({span, std::move(condition), std::move(body)});
  return {span, std::move(made)};
}

}  // namespace lac::frontend
