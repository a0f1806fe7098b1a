#include "frontend/sema/recursion/rewrite.h"

#include <memory>
#include <utility>
#include <variant>

#include "frontend/ast/children.h"
#include "frontend/ast/overload.h"

namespace lac::frontend {

ast::ExprPtr with_children(const ast::ExprPtr& expr, const ReplaceExpr& replace) {
  ast::Expr made = *expr;
  ast::for_each_child_of(made.node, [&](ast::ExprPtr& child) { child = replace(child); });
  return std::make_shared<const ast::Expr>(std::move(made));
}

namespace {

class Renamer {
 public:
  explicit Renamer(std::map<std::string, std::string> names) : names_(std::move(names)) {}

  void rename(ast::Name& name) const {
    if (const auto found = names_.find(name.text); found != names_.end()) name.text = found->second;
  }

  ast::Block block(ast::Block statements) const {
    for (ast::Statement& statement : statements) rename(statement);
    return statements;
  }

  ast::ExprPtr expression(const ast::ExprPtr& expr) const {
    if (!expr) return expr;
    if (const auto* function = std::get_if<ast::AnonymousFunction>(&expr->node)) {
      std::map<std::string, std::string> outer = names_;
      for (const ast::Parameter& param : function->params) outer.erase(param.name.text);
      const Renamer inner(std::move(outer));
      return with_children(expr, [&](const ast::ExprPtr& body) { return inner.expression(body); });
    }
    const auto* identifier = std::get_if<ast::Identifier>(&expr->node);
    if (!identifier) return with_children(expr, [&](const ast::ExprPtr& child) { return expression(child); });
    const auto found = names_.find(identifier->name);
    if (found == names_.end()) return expr;
    return std::make_shared<const ast::Expr>(ast::Expr{expr->span, ast::Identifier{found->second}});
  }

 private:
  void rename(std::vector<ast::ExprPtr>& exprs) const {
    for (ast::ExprPtr& each : exprs) each = expression(each);
  }

  void rename(ast::LValue& target) const {
    rename(target.name);
    if (target.args) rename(*target.args);
    for (ast::Accessor& step : target.path) {
      rename(step.args);
      step.dynamic = expression(step.dynamic);
    }
  }

  void rename(ast::Statement& statement) const {
    std::visit(Overload{[&](ast::ExprStatement& node) { node.expr = expression(node.expr); },
                        [&](ast::Assign& node) {
                          for (ast::LValue& target : node.targets) rename(target);
                          for (ast::LValue& target : node.chained) rename(target);
                          node.value = expression(node.value);
                        },
                        [&](ast::IncDec& node) { rename(node.target); },
                        [&](ast::If& node) {
                          for (ast::IfArm& arm : node.arms) {
                            arm.condition = expression(arm.condition);
                            arm.body = block(std::move(arm.body));
                          }
                        },
                        [&](ast::Switch& node) {
                          node.value = expression(node.value);
                          for (ast::SwitchCase& each : node.cases) {
                            each.label = expression(each.label);
                            each.body = block(std::move(each.body));
                          }
                        },
                        [&](ast::While& node) {
                          node.condition = expression(node.condition);
                          node.body = block(std::move(node.body));
                        },
                        [&](ast::DoUntil& node) {
                          node.body = block(std::move(node.body));
                          node.condition = expression(node.condition);
                        },
                        [&](ast::For& node) {
                          rename(node.variable);
                          if (node.key) rename(*node.key);
                          node.range = expression(node.range);
                          node.body = block(std::move(node.body));
                        },
                        [&](ast::Try& node) {
                          node.body = block(std::move(node.body));
                          rename(node.error);
                          node.handler = block(std::move(node.handler));
                        },
                        [&](ast::Declaration& node) {
                          for (auto& variable : node.variables) variable.value = expression(variable.value);
                        },
                        [](auto&) {}},
               statement.node);
  }

  std::map<std::string, std::string> names_;
};

}  // namespace

ast::ExprPtr renamed(const ast::ExprPtr& expr, const std::map<std::string, std::string>& names) {
  return Renamer(names).expression(expr);
}

ast::Function renamed(const ast::Function& function, const std::map<std::string, std::string>& names) {
  const Renamer renamer(names);
  ast::Function made = function;
  for (ast::Parameter& param : made.params) renamer.rename(param.name);
  for (ast::Name& out : made.outs) renamer.rename(out);
  made.body = renamer.block(std::move(made.body));
  return made;
}

}  // namespace lac::frontend
