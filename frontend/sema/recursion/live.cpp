#include "frontend/sema/recursion/live.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <variant>

#include "frontend/ast/overload.h"
#include "frontend/sema/names/names.h"

namespace lac::frontend {
namespace {

/// What a list of statements reads before it assigns it, and what it assigns for certain.
struct Effects {
  std::set<std::string> read;              ///< the value
  std::set<std::string> extended;          ///< as what a part is assigned of
  std::set<std::string> assigned;          ///< for certain
  std::set<std::string> perhaps_assigned;  ///< at all

  void reads(const std::string& name) {
    if (assigned.count(name) == 0) read.insert(name);
  }
  void extends(const std::string& name) {
    if (assigned.count(name) == 0) extended.insert(name);
  }
  /// Of what may run next, or not at all.
  void may_come(const Effects& inner) {
    for (const std::string& name : inner.read) reads(name);
    for (const std::string& name : inner.extended) extends(name);
    perhaps_assigned.insert(inner.perhaps_assigned.begin(), inner.perhaps_assigned.end());
  }
  void assigns(const std::string& name) {
    assigned.insert(name);
    perhaps_assigned.insert(name);
  }
};

void expression(const ast::Expr& expr, Effects& uses) {
  if (const auto* name = std::get_if<ast::Identifier>(&expr.node)) return uses.reads(name->name);
  if (const auto* function = std::get_if<ast::AnonymousFunction>(&expr.node)) {
    Effects inner;
    expression(*function->body, inner);
    for (const ast::Parameter& param : function->params) inner.read.erase(param.name.text);
    return uses.may_come(inner);
  }
  for_each_child(expr, [&](const ast::ExprPtr& child) { expression(*child, uses); });
}

void target(const ast::LValue& target, bool updated, Effects& uses) {
  if (target.ignored) return;
  const std::string& name = target.name.text;
  if (updated) uses.reads(name);
  else if (target.is_part()) uses.extends(name);
  uses.assigns(name);
}

void block(const ast::Block& statements, Effects& uses);

/// One of several lists of statements, or none of them where `may_skip`.
void alternatives(const std::vector<const ast::Block*>& blocks, bool may_skip, Effects& uses) {
  std::vector<Effects> each;
  for (const ast::Block* one : blocks) block(*one, each.emplace_back());
  for (const Effects& one : each) uses.may_come(one);
  if (may_skip || each.empty()) return;
  for (const std::string& name : each.front().assigned)
    if (std::ranges::all_of(each, [&](const Effects& one) { return one.assigned.count(name) != 0; }))
      uses.assigned.insert(name);
}

void statement(const ast::Statement& each, Effects& uses) {
  if (const auto* loop = std::get_if<ast::DoUntil>(&each.node)) {  // its body runs, and comes first
    block(loop->body, uses);
    return expression(*loop->condition, uses);
  }
  for_each_expression(each, [&](const ast::Expr& expr) { expression(expr, uses); });
  std::visit(Overload{[&](const ast::Assign& node) {
                        for (const ast::LValue& one : node.targets) target(one, node.op.has_value(), uses);
                        for (const ast::LValue& one : node.chained) target(one, false, uses);
                      },
                      [&](const ast::IncDec& node) { target(node.target, true, uses); },
                      [&](const ast::If& node) {
                        std::vector<const ast::Block*> bodies;
                        for (const ast::IfArm& arm : node.arms) bodies.push_back(&arm.body);
                        alternatives(bodies, node.arms.back().condition != nullptr, uses);
                      },
                      [&](const ast::Switch& node) {
                        std::vector<const ast::Block*> bodies;
                        for (const ast::SwitchCase& one : node.cases) bodies.push_back(&one.body);
                        alternatives(bodies, node.cases.empty() || node.cases.back().label != nullptr, uses);
                      },
                      [&](const ast::For& node) {
                        Effects inner;
                        target(node.variable, false, inner);
                        if (node.key) target(*node.key, false, inner);
                        block(node.body, inner);
                        uses.may_come(inner);
                      },
                      [&](const ast::Try& node) {
                        Effects handler;
                        if (!node.error.text.empty()) handler.assigns(node.error.text);
                        block(node.handler, handler);
                        alternatives({&node.body}, true, uses);
                        uses.may_come(handler);
                      },
                      [&](const auto&) {
                        std::vector<const ast::Block*> bodies;
                        for_each_inner_block(each, [&](const ast::Block& body) { bodies.push_back(&body); });
                        alternatives(bodies, true, uses);
                      }},
             each.node);
}

void block(const ast::Block& statements, Effects& uses) {
  for (const ast::Statement& each : statements) statement(each, uses);
}

Effects uses_of(const FlowBlock& flow_block) {
  Effects uses;
  block(flow_block.statements, uses);
  if (flow_block.condition) expression(*flow_block.condition, uses);
  if (flow_block.call)
    for (const ast::ExprPtr& arg : flow_block.call->args) expression(*arg, uses);
  return uses;
}

using NamesOfBlocks = std::vector<std::set<std::string>>;

/// Calls visit(block, next) for each way that control goes on within a call of a member.
void for_each_edge(const Flow& flow, const std::function<void(std::size_t from, std::size_t to)>& visit) {
  for (std::size_t i = 0; i < flow.blocks.size(); ++i) {
    const FlowBlock& each = flow.blocks[i];
    if (each.leaves) continue;
    visit(i, each.next);
    if (each.condition) visit(i, each.otherwise);
  }
}

/// What may have a value behind each block: the union over the ways there, from nothing up.
NamesOfBlocks perhaps_assigned(const Cycle& cycle, const Flow& flow, const std::vector<Effects>& uses) {
  NamesOfBlocks names;
  for (const Effects& each : uses) names.push_back(each.perhaps_assigned);
  for (std::size_t i = 0; i < cycle.size(); ++i)
    for (const ast::Parameter& param : cycle[i].function.params) names[flow.entries[i]].insert(param.name.text);
  bool changed = true;
  while (changed) {
    changed = false;
    for_each_edge(flow, [&](std::size_t from, std::size_t to) {
      const std::size_t before = names[to].size();
      names[to].insert(names[from].begin(), names[from].end());
      if (const auto& call = flow.blocks[from].call) names[to].insert(call->results.begin(), call->results.end());
      changed = changed || names[to].size() != before;
    });
  }
  return names;
}

/// What has a value behind each block: the intersection over the ways there, from everything down.
NamesOfBlocks surely_assigned(const Cycle& cycle, const Flow& flow, const std::vector<Effects>& uses,
                              const NamesOfBlocks& perhaps) {
  std::set<std::string> all;
  for (const auto& each : perhaps) all.insert(each.begin(), each.end());
  NamesOfBlocks at_start(flow.blocks.size(), all), at_end(flow.blocks.size(), all);
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    std::set<std::string>& entry = at_start[flow.entries[i]];
    entry = {cycle[i].given};
    for (const ast::Parameter& param : cycle[i].function.params) entry.insert(param.name.text);
  }
  const auto finish = [&](std::size_t i) {
    std::set<std::string> end = at_start[i];
    end.insert(uses[i].assigned.begin(), uses[i].assigned.end());
    const bool differs = end != at_end[i];
    at_end[i] = std::move(end);
    return differs;
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t i = 0; i < flow.blocks.size(); ++i) changed = finish(i) || changed;
    for_each_edge(flow, [&](std::size_t from, std::size_t to) {
      std::set<std::string> here = at_end[from];
      if (const auto& call = flow.blocks[from].call) here.insert(call->results.begin(), call->results.end());
      const std::size_t removed =
          std::erase_if(at_start[to], [&](const std::string& name) { return here.count(name) == 0; });
      changed = changed || removed > 0;
    });
  }
  return at_end;
}

}  // namespace

LiveNames live_names(const Cycle& cycle, const Flow& flow) {
  const std::size_t count = flow.blocks.size();
  std::vector<Effects> uses;
  for (const FlowBlock& each : flow.blocks) uses.push_back(uses_of(each));
  std::vector<std::set<std::string>> read(count), extended(count);
  const auto is_variable = [&](std::size_t member, const std::string& name) {
    return cycle[member].variables.count(name) != 0 || flow.values.count(name) != 0;
  };
  // read = what the block reads and what its successors do and it does not assign, to the fixed point
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t i = count; i-- > 0;) {
      const FlowBlock& each = flow.blocks[i];
      const auto collect = [&](std::vector<std::set<std::string>>& all, const std::set<std::string>& own,
                               const std::set<std::string>& at_end) {
        std::set<std::string> names = own;
        const auto behind = [&](std::size_t next) {
          std::set<std::string> more = all[next];
          if (each.call)
            for (const std::string& result : each.call->results) more.erase(result);
          names.merge(more);
        };
        if (each.leaves) names.insert(at_end.begin(), at_end.end());
        else behind(each.next);
        if (each.condition) behind(each.otherwise);
        std::erase_if(names, [&](const std::string& name) {
          return !is_variable(each.member, name) || (uses[i].assigned.count(name) != 0 && own.count(name) == 0);
        });
        changed = changed || names != all[i];
        all[i] = std::move(names);
      };
      std::set<std::string> results;
      for (const ast::Name& out : cycle[each.member].function.outs) results.insert(out.text);
      collect(read, uses[i].read, results);
      collect(extended, uses[i].extended, {});
    }
  }
  LiveNames live;
  live.perhaps_assigned = perhaps_assigned(cycle, flow, uses);
  live.assigned = surely_assigned(cycle, flow, uses, live.perhaps_assigned);
  for (std::size_t i = 0; i < count; ++i) {
    std::set<std::string> all = read[i], only;
    for (const std::string& name : extended[i])
      if (all.insert(name).second) only.insert(name);
    live.at_start.push_back(std::move(all));
    live.only_extended.push_back(std::move(only));
  }
  return live;
}

}  // namespace lac::frontend
