#include "frontend/evaluated/parsers.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "frontend/evaluated/blocks.h"

namespace lac::frontend {
namespace {

constexpr std::string_view methods[] = {"addRequired",   "addOptional", "addParameter",
                                        "addParamValue", "addSwitch",   "parse"};

bool is_name(const ast::ExprPtr& expr, std::string_view name) {
  const auto* identifier = expr ? std::get_if<ast::Identifier>(&expr->node) : nullptr;
  return identifier && identifier->name == name;
}

ast::ExprPtr call(std::vector<ast::ExprPtr> args, Span span) {
  const auto callee = std::make_shared<const ast::Expr>(ast::Expr{span, ast::Identifier{"parser_by_methods"}});
  return std::make_shared<const ast::Expr>(ast::Expr{span, ast::Index{callee, std::move(args), span}, 2});
}

/// What one function or the file does with its parsers.
class Parsers {
 public:
  void put_into(ast::Block& block) {
    for (ast::Statement& statement : block) {
      if (auto* assign = std::get_if<ast::Assign>(&statement.node)) put_maker(*assign);
      else if (const auto* alone = std::get_if<ast::ExprStatement>(&statement.node)) put_method(statement, *alone);
      else for_each_block_in(statement, [&](ast::Block& inner) { put_into(inner); });
    }
  }

 private:
  // p = inputParser, p = inputParser()
  void put_maker(ast::Assign& node) {
    const auto* index = std::get_if<ast::Index>(&node.value->node);
    const bool makes =
        is_name(node.value, "inputParser") || (index && index->args.empty() && is_name(index->callee, "inputParser"));
    if (!makes || node.targets.size() != 1 || node.targets.front().is_part()) return;
    names_.insert(node.targets.front().name.text);
    node.value = call({}, node.value->span);
  }

  // p.addRequired(...), addRequired(p, ...), p.parse
  void put_method(ast::Statement& statement, const ast::ExprStatement& node) {
    const auto* index = std::get_if<ast::Index>(&node.expr->node);
    const auto* field = std::get_if<ast::Field>(&(index ? index->callee : node.expr)->node);
    const auto* function = index ? std::get_if<ast::Identifier>(&index->callee->node) : nullptr;
    const bool has_object = function && !index->args.empty();
    const std::string method = field ? field->name.text : has_object ? function->name : "";
    if (std::ranges::find(methods, method) == std::end(methods)) return;
    const ast::ExprPtr& object = field ? field->base : index->args.front();
    const auto* name = std::get_if<ast::Identifier>(&object->node);
    if (!name || names_.count(name->name) == 0) return;
    const Span span = node.expr->span;
    std::vector<ast::ExprPtr> args = {object,
                                      std::make_shared<const ast::Expr>(ast::Expr{span, ast::String{method, true}})};
    if (index) args.insert(args.end(), index->args.begin() + (field ? 0 : 1), index->args.end());
    ast::Assign assign;
    assign.targets.push_back({{name->name, object->span}, std::nullopt, {}, false, object->span});
    assign.value = call(std::move(args), span);
    statement.node = std::move(assign);
  }

  std::set<std::string> names_;
};

}  // namespace

void put_parsers(ast::Program& program) {
  Parsers().put_into(program.statements);
  for (ast::Function& function : program.functions) Parsers().put_into(function.body);
}

}  // namespace lac::frontend
