#include "frontend/sema/names/names.h"

#include <algorithm>
#include <variant>

#include "frontend/ast/children.h"
#include "frontend/ast/overload.h"

namespace lac::frontend {
namespace {

const std::string* name_of(const ast::Expr& target) {
  const ast::Expr& bare = strip_parens(target);
  if (const auto access = ast::access_of(bare)) return name_of(**access->base);
  const auto* identifier = std::get_if<ast::Identifier>(&bare.node);
  return identifier ? &identifier->name : nullptr;
}

/// The call of this function that the expression is; null: none.
const ast::Index* call_of(const ast::Expr& expr, std::string_view function) {
  const auto* call = std::get_if<ast::Index>(&expr.node);
  const auto* callee = call ? std::get_if<ast::Identifier>(&call->callee->node) : nullptr;
  return callee && callee->name == function ? call : nullptr;
}

/// The names of variables in load("f", "x", "y") as a statement, options and the file itself among them.
void loaded_names(const ast::ExprStatement& node, std::set<std::string>& names) {
  const ast::Index* load = call_of(*node.expr, "load");
  if (!load) return;
  for (std::size_t i = 1; i < load->args.size(); ++i)
    if (const auto* word = std::get_if<ast::String>(&load->args[i]->node)) names.insert(word->text);
}

void assigned_names(const ast::Block& block, std::set<std::string>& names) {
  const auto add = [&](const ast::LValue& target) {
    if (!target.ignored) names.insert(target.name.text);
  };
  for (const ast::Statement& statement : block) {
    std::visit(Overload{[&](const ast::Assign& node) {
                          for (const ast::LValue& target : node.targets) add(target);
                          for (const ast::LValue& target : node.chained) add(target);
                        },
                        [&](const ast::IncDec& node) { add(node.target); },
                        [&](const ast::ExprStatement& node) { loaded_names(node, names); },
                        [&](const ast::For& node) {
                          add(node.variable);
                          if (node.key) add(*node.key);
                        },
                        [&](const ast::Declaration& node) {
                          for (const auto& variable : node.variables) names.insert(variable.name.text);
                        },
                        [&](const ast::Try& node) {
                          if (!node.error.text.empty()) add(ast::LValue{node.error, {}, {}, false, node.error.span});
                        },
                        [&](const ast::Param& node) { names.insert(node.name.text); }, [](const auto&) {}},
               statement.node);
    for_each_expression(statement, [&](const ast::Expr& expr) { frontend::assigned_names(expr, names); });
    for_each_inner_block(statement, [&](const ast::Block& inner) { assigned_names(inner, names); });
  }
}

std::string part_of(const ast::LValue& target) {
  std::string part = target.name.text;
  for (const ast::Accessor& step : target.path) {
    if (step.kind != ast::Accessor::Kind::field || step.dynamic) break;
    part += "." + step.field.text;
  }
  return part;
}

void assigned_parts(const ast::Block& block, std::set<std::string>& parts) {
  const auto add = [&](const ast::LValue& target) {
    if (!target.ignored) parts.insert(part_of(target));
  };
  for (const ast::Statement& statement : block) {
    std::visit(Overload{[&](const ast::Assign& node) {
                          for (const ast::LValue& target : node.targets) add(target);
                          for (const ast::LValue& target : node.chained) add(target);
                        },
                        [&](const ast::IncDec& node) { add(node.target); },
                        [&](const ast::ExprStatement& node) { loaded_names(node, parts); },
                        [&](const ast::Try& node) {
                          if (!node.error.text.empty()) parts.insert(node.error.text);
                        },
                        [&](const ast::For& node) {
                          add(node.variable);
                          if (node.key) add(*node.key);
                        },
                        [](const auto&) {}},
               statement.node);
    for_each_expression(statement, [&](const ast::Expr& expr) { frontend::assigned_names(expr, parts); });
    for_each_inner_block(statement, [&](const ast::Block& inner) { assigned_parts(inner, parts); });
  }
}

bool assigns_field(const ast::LValue& target, const std::string& name) {
  const auto is_field = [](const ast::Accessor& step) { return step.kind == ast::Accessor::Kind::field; };
  return target.name.text == name && std::ranges::any_of(target.path, is_field);
}

void count_reads(const ast::Expr& expr, std::map<std::string, int>& counts) {
  if (const ast::Index* save = call_of(expr, "save"))
    for (const ast::ExprPtr& arg : save->args)
      if (const auto* word = std::get_if<ast::String>(&arg->node)) ++counts[word->text];
  std::visit(Overload{[&](const ast::Identifier& node) { ++counts[node.name]; },
                      [&](const ast::FunctionHandle& node) { ++counts[node.name.text]; }, [](const auto&) {}},
             expr.node);
  for_each_child(expr, [&](const ast::ExprPtr& child) { count_reads(*child, counts); });
}

void count_reads(const ast::Block& block, std::map<std::string, int>& counts) {
  for (const ast::Statement& statement : block) {
    std::visit(Overload{[&](const ast::Assign& node) {
                          for (const ast::LValue& target : node.targets)
                            if (node.op.has_value() || node.print || target.is_part()) ++counts[target.name.text];
                          for (const ast::LValue& target : node.chained)
                            if (target.is_part()) ++counts[target.name.text];
                        },
                        [&](const ast::IncDec& node) { ++counts[node.target.name.text]; },
                        [&](const ast::Output& node) {
                          for (const ast::Name& name : node.names) ++counts[name.text];
                        },
                        [](const auto&) {}},
               statement.node);
    for_each_expression(statement, [&](const ast::Expr& expr) { count_reads(expr, counts); });
    for_each_inner_block(statement, [&](const ast::Block& inner) { count_reads(inner, counts); });
  }
}

bool clears(const ast::Expr& callee) {
  const auto* name = std::get_if<ast::Identifier>(&callee.node);
  return name && (name->name == "clear" || name->name == "clearvars");
}

void collect_clears(const ast::Block& block, std::vector<std::vector<std::string>>& all) {
  for (const ast::Statement& statement : block) {
    for_each_inner_block(statement, [&](const ast::Block& inner) { collect_clears(inner, all); });
    const auto* node = std::get_if<ast::ExprStatement>(&statement.node);
    if (!node) continue;
    const auto* call = std::get_if<ast::Index>(&node->expr->node);
    if (!clears(call ? *call->callee : *node->expr)) continue;
    std::vector<std::string>& words = all.emplace_back();
    if (!call) continue;
    for (const ast::ExprPtr& arg : call->args)
      if (const auto* word = std::get_if<ast::String>(&arg->node)) words.push_back(word->text);
  }
}

void collect_exits(const ast::Statement& statement, bool in_inner_loop, Exits& exits) {
  std::visit(Overload{[&](const ast::Break&) { exits.breaks |= !in_inner_loop; },
                      [&](const ast::Continue&) { exits.continues |= !in_inner_loop; },
                      [&](const ast::Return&) { exits.returns = true; }, [](const auto&) {}},
             statement.node);
  const bool is_loop = std::holds_alternative<ast::While>(statement.node) ||
                       std::holds_alternative<ast::DoUntil>(statement.node) ||
                       std::holds_alternative<ast::For>(statement.node);
  for_each_inner_block(statement, [&](const ast::Block& inner) {
    for (const ast::Statement& nested : inner) collect_exits(nested, in_inner_loop || is_loop, exits);
  });
}

}  // namespace

bool assigns_fields(const ast::Block& block, const std::string& name) {
  const auto does = [&](const ast::LValue& target) { return assigns_field(target, name); };
  bool found = false;
  for (const ast::Statement& statement : block) {
    std::visit(
        Overload{[&](const ast::Assign& node) {
                   found = found || std::ranges::any_of(node.targets, does) || std::ranges::any_of(node.chained, does);
                 },
                 [&](const ast::IncDec& node) { found = found || does(node.target); },
                 [&](const ast::For& node) { found = found || does(node.variable) || (node.key && does(*node.key)); },
                 [](const auto&) {}},
        statement.node);
    for_each_expression(statement, [&](const ast::Expr& expr) {
      std::set<std::string> names;
      assigned_names(expr, names);
      found = found || names.count(name) != 0;
    });
    for_each_inner_block(statement, [&](const ast::Block& inner) { found = found || assigns_fields(inner, name); });
  }
  return found;
}

void assigned_names(const ast::Expr& expr, std::set<std::string>& names) {
  const auto* prefix = std::get_if<ast::Unary>(&expr.node);
  const auto* postfix = std::get_if<ast::Postfix>(&expr.node);
  const bool steps =
      (prefix && (prefix->op == ast::UnaryOp::increment || prefix->op == ast::UnaryOp::decrement)) ||
      (postfix && (postfix->op == ast::PostfixOp::increment || postfix->op == ast::PostfixOp::decrement));
  if (const std::string* name = steps ? name_of(prefix ? *prefix->operand : *postfix->operand) : nullptr)
    names.insert(*name);
  if (const auto* assignment = std::get_if<ast::Assignment>(&expr.node)) names.insert(*name_of(*assignment->target));
  if (std::holds_alternative<ast::AnonymousFunction>(expr.node)) return;  // its names are its own
  for_each_child(expr, [&](const ast::ExprPtr& child) { assigned_names(*child, names); });
}

std::set<std::string> names_stepped_in(const ast::LValue& target) {
  std::set<std::string> names;
  for_each_subscript(target, [&](const ast::ExprPtr& arg) { assigned_names(*arg, names); });
  return names;
}

std::set<std::string> assigned_names(const ast::Block& block) {
  std::set<std::string> names;
  assigned_names(block, names);
  return names;
}

std::set<std::string> assigned_parts(const ast::Block& block) {
  std::set<std::string> parts;
  assigned_parts(block, parts);
  return parts;
}

std::map<std::string, int> read_counts(const ast::Block& block) {
  std::map<std::string, int> counts;
  count_reads(block, counts);
  return counts;
}

void for_each_inner_block(const ast::Statement& statement, const std::function<void(const ast::Block&)>& visit) {
  std::visit(
      Overload{[&](const ast::If& node) {
                 for (const ast::IfArm& arm : node.arms) visit(arm.body);
               },
               [&](const ast::Switch& node) {
                 for (const ast::SwitchCase& each : node.cases) visit(each.body);
               },
               [&](const ast::Try& node) {
                 visit(node.body);
                 visit(node.handler);
               },
               [&](const ast::While& node) { visit(node.body); }, [&](const ast::DoUntil& node) { visit(node.body); },
               [&](const ast::For& node) { visit(node.body); }, [](const auto&) {}},
      statement.node);
}

void for_each_expression(const ast::Statement& statement, const std::function<void(const ast::Expr&)>& visit) {
  const auto read = [&](const ast::ExprPtr& expr) {
    if (expr) visit(*expr);
  };
  const auto subscripts = [&](const ast::LValue& target) { for_each_subscript(target, read); };
  std::visit(
      Overload{[&](const ast::ExprStatement& node) { read(node.expr); },
               [&](const ast::Assign& node) {
                 for (const ast::LValue& target : node.targets) subscripts(target);
                 for (const ast::LValue& target : node.chained) subscripts(target);
                 read(node.value);
               },
               [&](const ast::IncDec& node) { subscripts(node.target); },
               [&](const ast::If& node) {
                 for (const ast::IfArm& arm : node.arms) read(arm.condition);
               },
               [&](const ast::Switch& node) {
                 read(node.value);
                 for (const ast::SwitchCase& each : node.cases) read(each.label);
               },
               [&](const ast::While& node) { read(node.condition); },
               [&](const ast::DoUntil& node) { read(node.condition); }, [&](const ast::For& node) { read(node.range); },
               [&](const ast::Declaration& node) {
                 for (const auto& variable : node.variables) read(variable.value);
               },
               [&](const ast::Param& node) { read(node.default_value); }, [](const auto&) {}},
      statement.node);
}

void for_each_child(const ast::Expr& expr, const std::function<void(const ast::ExprPtr&)>& visit) {
  ast::for_each_child_of(expr.node, visit);
}

void read_names(const ast::Expr& expr, std::set<std::string>& names) {
  std::map<std::string, int> counts;
  count_reads(expr, counts);
  for (const auto& [name, count] : counts) names.insert(name);
}

std::vector<std::vector<std::string>> words_of_clears(const ast::Block& block) {
  std::vector<std::vector<std::string>> all;
  collect_clears(block, all);
  return all;
}

Exits exits_of(const ast::Statement& statement) {
  Exits exits;
  collect_exits(statement, false, exits);
  return exits;
}

Exits exits_of(const ast::Block& block) {
  Exits exits;
  for (const ast::Statement& statement : block) collect_exits(statement, false, exits);
  return exits;
}

}  // namespace lac::frontend
