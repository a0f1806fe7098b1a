#include "frontend/sema/names/uses.h"

#include <variant>

#include "frontend/ast/overload.h"
#include "frontend/sema/names/names.h"

namespace lac::frontend {
namespace {

class Collector {
 public:
  Uses uses;

  void block(const ast::Block& statements) {
    for (std::size_t i = 0; i < statements.size(); ++i) {
      statement(statements[i]);
      if (leaves(statements[i]) && i + 1 < statements.size()) {
        uses.unreachable.push_back(statements[i + 1].span);
        for (++i; i < statements.size(); ++i) statement(statements[i]);
      }
    }
  }

 private:
  static bool leaves(const ast::Statement& statement) {
    return std::holds_alternative<ast::Break>(statement.node) ||
           std::holds_alternative<ast::Continue>(statement.node) || std::holds_alternative<ast::Return>(statement.node);
  }

  void statement(const ast::Statement& item) {
    std::visit(Overload{[&](const ast::ExprStatement& node) { expression(node.expr); },
                        [&](const ast::Assign& node) { assign(node); },
                        [&](const ast::IncDec& node) { target(node.target, node.print); },
                        [&](const ast::If& node) {
                          for (const ast::IfArm& arm : node.arms) {
                            condition(arm.condition);
                            block(arm.body);
                          }
                        },
                        [&](const ast::Switch& node) {
                          expression(node.value);
                          for (const ast::SwitchCase& each : node.cases) {
                            expression(each.label);
                            block(each.body);
                          }
                        },
                        [&](const ast::Try& node) {
                          block(node.body);
                          block(node.handler);
                        },
                        [&](const ast::While& node) {
                          condition(node.condition);
                          block(node.body);
                        },
                        [&](const ast::DoUntil& node) {
                          block(node.body);
                          condition(node.condition);
                        },
                        [&](const ast::For& node) {
                          expression(node.range);
                          target(node.variable, false).counter = true;
                          if (node.key) target(*node.key, false).counter = true;
                          block(node.body);
                        },
                        [&](const ast::Param& node) { expression(node.default_value); },
                        [&](const ast::Declaration& node) {
                          for (const auto& variable : node.variables) {
                            if (variable.value) expression(variable.value);
                            uses.read.insert(variable.name.text);
                            uses.assigned[variable.name.text].quiet = false;
                          }
                        },
                        [&](const ast::Output& node) {
                          for (const ast::Name& name : node.names) uses.read.insert(name.text);
                        },
                        [](const auto&) {}},
               item.node);
  }

  Uses::Assignment& target(const ast::LValue& place, bool shown) {
    static Uses::Assignment ignored;
    if (place.ignored) return ignored;
    for_each_subscript(place, [&](const ast::ExprPtr& arg) { expression(arg); });
    Uses::Assignment& entry = uses.assigned[place.name.text];
    if (!entry.first.valid()) entry.first = place.name.span;
    entry.quiet = entry.quiet && !shown;
    entry.indexed = entry.indexed || place.is_part();
    return entry;
  }

  void assign(const ast::Assign& node) {
    expression(node.value);
    for (const ast::LValue& place : node.chained) target(place, false);
    for (const ast::LValue& place : node.targets) {
      Uses::Assignment& entry = target(place, node.print);
      entry.number =
          entry.number || (!node.op && !place.is_part() && std::holds_alternative<ast::Number>(node.value->node));
      if (node.targets.size() < 2) continue;
      for (const ast::LValue& other : node.targets)
        if (!other.ignored && other.name.text != place.name.text) entry.beside.push_back(other.name.text);
    }
  }

  void mention(const std::string& name, Span span) {
    uses.read.insert(name);
    uses.named[name].push_back(span);
  }

  void condition(const ast::ExprPtr& tree) {
    const auto* paren = tree ? std::get_if<ast::Paren>(&tree->node) : nullptr;
    if (const auto* made = paren ? std::get_if<ast::Assignment>(&paren->inner->node) : nullptr)
      uses.assigning_conditions.push_back(made->op_span);
    expression(tree);
  }

  void expression(const ast::ExprPtr& tree) {
    if (!tree) return;
    std::visit(Overload{[&](const ast::Identifier& node) { mention(node.name, tree->span); },
                        [&](const ast::String& node) { uses.read.insert(node.text); },  // exist("x")
                        [&](const ast::Index& node) {
                          if (const auto* name = std::get_if<ast::Identifier>(&node.callee->node))
                            uses.called.emplace(name->name, tree->span);
                        },
                        [&](const ast::Assignment& node) { target(*ast::target_of(*node.target), false); },
                        [&](const ast::FunctionHandle& node) { uses.read.insert(node.name.text); }, [](const auto&) {}},
               tree->node);
    for_each_child(*tree, [&](const ast::ExprPtr& child) { expression(child); });
  }
};

}  // namespace

Uses uses_of(const ast::Block& block) {
  Collector collector;
  collector.block(block);
  return std::move(collector.uses);
}

}  // namespace lac::frontend
