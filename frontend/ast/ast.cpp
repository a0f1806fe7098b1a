#include "frontend/ast/ast.h"

namespace lac::frontend::ast {

const Expr& strip_parens(const Expr& expr) {
  const Expr* inner = &expr;
  while (const auto* paren = std::get_if<Paren>(&inner->node)) inner = paren->inner.get();
  return *inner;
}

std::optional<Access> access_of(const Expr& expr) {
  using Kind = Accessor::Kind;
  if (const auto* index = std::get_if<Index>(&expr.node))
    return Access{&index->callee, {Kind::parens, index->args, {}, nullptr, expr.span}};
  if (const auto* index = std::get_if<BraceIndex>(&expr.node))
    return Access{&index->callee, {Kind::braces, index->args, {}, nullptr, expr.span}};
  if (const auto* field = std::get_if<Field>(&expr.node))
    return Access{&field->base, {Kind::field, {}, field->name, field->dynamic, expr.span}};
  return std::nullopt;
}

bool is_list(const Expr& expr) {
  return std::holds_alternative<BraceIndex>(expr.node) || std::holds_alternative<Field>(expr.node);
}

LValue extended(LValue target, Accessor step) {
  const Span span = step.span;
  if (!target.is_part() && step.kind == Accessor::Kind::parens) {
    target.args = std::move(step.args);
  } else {
    if (target.args) target.path.push_back({Accessor::Kind::parens, *std::move(target.args), {}, nullptr, target.span});
    target.args.reset();
    target.path.push_back(std::move(step));
  }
  target.span = join(target.span, span);
  return target;
}

LValue without_last(const LValue& target) {
  LValue made = target;
  made.path.pop_back();
  if (made.path.size() != 1 || made.path.front().kind != Accessor::Kind::parens) return made;
  made.args = std::move(made.path.front().args);
  made.path.clear();
  return made;
}

std::optional<LValue> target_of(const Expr& expr) {
  if (const auto* name = std::get_if<Identifier>(&expr.node))
    return LValue{{name->name, expr.span}, std::nullopt, {}, false, expr.span};
  const auto access = access_of(expr);
  std::optional<LValue> base = access ? target_of(strip_parens(**access->base)) : std::nullopt;
  if (!base) return std::nullopt;
  return extended(*std::move(base), access->accessor);
}

ExprPtr expression_of(const LValue& target) {
  ExprPtr made = std::make_shared<const Expr>(Expr{target.name.span, Identifier{target.name.text}});
  const auto wrap = [&](Expr::Node node) {
    const std::uint32_t height = made->height + 1;
    made = std::make_shared<const Expr>(Expr{target.span, std::move(node), height});
  };
  if (target.args) wrap(Index{made, *target.args, target.span});
  for (const Accessor& step : target.path) {
    if (step.kind == Accessor::Kind::parens) wrap(Index{made, step.args, step.span});
    if (step.kind == Accessor::Kind::braces) wrap(BraceIndex{made, step.args, step.span});
    if (step.kind == Accessor::Kind::field) wrap(Field{made, step.field, step.dynamic});
  }
  return made;
}

void for_each_subscript(const LValue& target, const std::function<void(const ExprPtr&)>& visit) {
  if (target.args)
    for (const ExprPtr& arg : *target.args) visit(arg);
  for (const Accessor& accessor : target.path) {
    for (const ExprPtr& arg : accessor.args) visit(arg);
    if (accessor.dynamic) visit(accessor.dynamic);
  }
}

}  // namespace lac::frontend::ast
