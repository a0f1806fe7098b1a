#include "frontend/sema/names/remaining.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "frontend/sema/names/names.h"

namespace lac::frontend {
namespace {

using Kind = ast::Accessor::Kind;

struct FieldOf {
  const std::string& array;
  const std::string& field;
};

/// Whether the field is given, or looked at before; nothing where the statements do neither.
std::optional<bool> gives(const ast::Block& block, std::size_t from, const FieldOf& wanted);

bool gives(const ast::LValue& target, const FieldOf& wanted) {
  if (target.name.text != wanted.array) return false;
  const std::vector<ast::Accessor>& path = target.path;
  for (std::size_t i = 1; i < path.size(); ++i)
    if (path[i - 1].kind == Kind::parens && path[i].kind == Kind::field && path[i].field.text == wanted.field)
      return true;
  return false;
}

bool is_name(const ast::ExprPtr& expr, const std::string& name) {
  const auto* identifier = std::get_if<ast::Identifier>(&ast::strip_parens(*expr).node);
  return identifier && identifier->name == name;
}

/// numel(a), which looks at no field.
bool asks_for_number(const ast::Index& node, const std::string& array) {
  constexpr std::string_view questions[] = {"numel", "length", "columns", "rows", "size", "isempty"};
  return node.args.size() == 1 && is_name(node.args.front(), array) &&
         std::ranges::any_of(questions, [&](std::string_view name) { return is_name(node.callee, std::string(name)); });
}

/// Whether the field, or all that the array holds, is read.
bool looks_at(const ast::Expr& expr, const FieldOf& wanted) {
  bool looks = false;
  const auto visit = [&](const ast::ExprPtr& child) { looks = looks || looks_at(*child, wanted); };
  if (const auto* identifier = std::get_if<ast::Identifier>(&expr.node)) return identifier->name == wanted.array;
  if (const auto* index = std::get_if<ast::Index>(&expr.node); index && asks_for_number(*index, wanted.array))
    return false;
  const auto* field = std::get_if<ast::Field>(&expr.node);
  const auto* element = field ? std::get_if<ast::Index>(&ast::strip_parens(*field->base).node) : nullptr;
  const bool other = element && !field->dynamic && field->name.text != wanted.field;
  if (other && is_name(element->callee, wanted.array)) {
    for (const ast::ExprPtr& arg : element->args) visit(arg);
    return looks;
  }
  for_each_child(expr, visit);
  return looks;
}

bool looks_at(const ast::Statement& statement, const FieldOf& wanted) {
  bool looks = false;
  for_each_expression(statement, [&](const ast::Expr& expr) { looks = looks || looks_at(expr, wanted); });
  for_each_inner_block(statement, [&](const ast::Block& block) {
    looks = looks || std::ranges::any_of(block, [&](const auto& inner) { return looks_at(inner, wanted); });
  });
  return looks;
}

template <class Arms, class Last>
bool all_give(const Arms& arms, const Last& is_last, const FieldOf& wanted) {
  return !arms.empty() && is_last(arms.back()) &&
         std::ranges::all_of(arms, [&](const auto& arm) { return gives(arm.body, 0, wanted) == true; });
}

bool gives(const ast::Statement& statement, const FieldOf& wanted) {
  if (const auto* node = std::get_if<ast::Assign>(&statement.node))
    return std::ranges::any_of(node->targets, [&](const ast::LValue& target) { return gives(target, wanted); });
  if (const auto* node = std::get_if<ast::If>(&statement.node))
    return all_give(
        node->arms, [](const ast::IfArm& arm) { return !arm.condition; }, wanted);
  if (const auto* node = std::get_if<ast::Switch>(&statement.node))
    return all_give(
        node->cases, [](const ast::SwitchCase& each) { return !each.label; }, wanted);
  return false;
}

std::optional<bool> gives(const ast::Block& block, std::size_t from, const FieldOf& wanted) {
  for (std::size_t i = from; i < block.size(); ++i) {
    if (gives(block[i], wanted)) return true;
    if (looks_at(block[i], wanted)) return false;
  }
  return std::nullopt;
}

}  // namespace

bool gives_field(const Remaining* statements, const std::string& array, const std::string& field) {
  for (; statements; statements = statements->around)
    if (const auto known = gives(*statements->block, statements->from, {array, field})) return *known;
  return false;
}

}  // namespace lac::frontend
