#include "frontend/sema/recursion/stack_machine.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "frontend/ast/overload.h"
#include "frontend/sema/names/names.h"
#include "frontend/sema/recursion/live.h"
#include "frontend/sema/recursion/trees.h"

namespace lac::frontend {
namespace {

using Positions = std::vector<std::size_t>;

std::vector<Positions> predecessors(const Flow& flow) {
  std::vector<Positions> all(flow.blocks.size());
  for (std::size_t i = 0; i < flow.blocks.size(); ++i) {
    const FlowBlock& each = flow.blocks[i];
    if (each.leaves) continue;
    all[each.next].push_back(i);
    if (each.condition) all[each.otherwise].push_back(i);
  }
  return all;
}

/// A block with the one that nothing else goes to becomes one block; what nothing goes to any more is empty.
void merge_chains(Flow& flow) {
  std::vector<Positions> before = predecessors(flow);
  for (std::size_t i = 0; i < flow.blocks.size(); ++i) {
    FlowBlock& each = flow.blocks[i];
    const auto goes_alone = [&] {
      return !each.leaves && !each.call && !each.condition && each.next != i && before[each.next].size() == 1 &&
             std::ranges::find(flow.entries, each.next) == flow.entries.end();
    };
    while (goes_alone()) {
      FlowBlock& next = flow.blocks[each.next];
      ast::Block statements = std::move(each.statements);
      std::ranges::move(next.statements, std::back_inserter(statements));
      each = std::exchange(next, FlowBlock{next.member, {}, {}, true, nullptr, 0, 0, next.span, {}, {}});
      each.statements = std::move(statements);
      before = predecessors(flow);
    }
  }
}

/// The variable of a for loop that made no trip is empty, where it is read behind the loop.
void empty_loop_variables(const Cycle& cycle, Flow& flow) {
  const LiveNames live = live_names(cycle, flow);
  for (std::size_t i = 0; i < flow.blocks.size(); ++i) {
    FlowBlock& each = flow.blocks[i];
    if (each.without_trips && live.at_start[i].count(each.loop_variable) != 0)
      each.statements.insert(each.statements.begin(), *each.without_trips);
  }
}

std::set<std::size_t> reached(const Flow& flow) {
  std::set<std::size_t> found;
  Positions open = {flow.entries.front()};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (!found.insert(at).second) continue;
    const FlowBlock& each = flow.blocks[at];
    if (each.leaves) continue;
    open.push_back(each.next);
    if (each.condition) open.push_back(each.otherwise);
    if (each.call) open.push_back(flow.entries[each.call->callee]);
  }
  return found;
}

class Machine {
 public:
  Machine(const Cycle& cycle, const NumberClasses& numbers) : cycle_(cycle), numbers_(numbers), flow_(flow_of(cycle)) {
    empty_loop_variables(cycle_, flow_);
    merge_chains(flow_);
    live_ = live_names(cycle_, flow_);
    const std::set<std::size_t> all = reached(flow_);
    for (const std::size_t block : all) states_[block] = static_cast<int>(states_.size() + 1);
    span_ = cycle.front().function.signature;
  }

  StackMachine made() {
    ast::While loop{compared(ast::BinaryOp::greater, state_, 0), {}};
    for (const auto& [block, state] : states_)
      loop.body.push_back(conditional(compared(ast::BinaryOp::equal, state_, state), body(block), span_));
    StackMachine made{cycle_.front().function, {}, {}};
    ast::Block& body = made.function.body;
    body = declarations();
    set(body, state_, number(states_.at(flow_.entries.front())));
    set(body, depth_, number(0));
    set(body, returns_, index("zeros", {number(1), number(most_recursion)}, span_));
    if (!cycle_.front().given.empty()) set(body, cycle_.front().given, identifier("nargin", span_));
    for (const auto& [name, class_name] : numbers_) set(body, stack_of(name), row_of(class_name));
    for (const auto& [name, row] : has_value_) set(body, row, row_of("double"));
    body.push_back({span_, std::move(loop)});
    if (numbers_.empty()) made.stacks = stacks_;
    for (const CycleMember& member : cycle_) made.written.insert(member.written.begin(), member.written.end());
    return made;
  }

 private:
  ast::ExprPtr number(int value) const { return numeral(value, span_); }
  ast::ExprPtr compared(ast::BinaryOp op, const std::string& name, int value) const {
    return binary(op, identifier(name, span_), number(value));
  }
  void set(ast::Block& block, const std::string& name, ast::ExprPtr value) const {
    block.push_back(assignment(name, std::move(value), span_));
  }
  void step(ast::Block& block, const std::string& name, bool up) const {
    set(block, name, binary(up ? ast::BinaryOp::add : ast::BinaryOp::subtract, identifier(name, span_), number(1)));
  }
  /// The row of truths, by levels, whether a variable waits that may have no value.
  std::string has_value(const std::string& name) {
    const auto [row, added] = has_value_.try_emplace(name);
    if (added) row->second = unused("has_" + name, flow_.taken);
    return row->second;
  }
  std::string stack_of(const std::string& name) {
    const auto [stack, added] = stacks_.try_emplace(name);
    if (added) stack->second = unused("saved_" + name, flow_.taken);
    return stack->second;
  }
  ast::LValue last_of(const std::string& stack, ast::ExprPtr position, ast::Accessor::Kind kind) const {
    return ast::extended(target(stack, span_), {kind, {std::move(position)}, {}, nullptr, span_});
  }

  ast::Block declarations() const {
    ast::Block all;
    for (const CycleMember& member : cycle_) {
      const ast::Block& body = member.function.body;
      for (std::size_t i = 0; i < body.size(); ++i)
        if (i < opening_statements(member) || std::holds_alternative<ast::Declaration>(body[i].node))
          all.push_back(body[i]);
    }
    return all;
  }

  ast::Block body(std::size_t at) {
    const FlowBlock& each = flow_.blocks[at];
    ast::Block made;
    if (const auto back = returns_to(at)) receive(made, *back);
    made.insert(made.end(), each.statements.begin(), each.statements.end());
    if (each.leaves) leave(made);
    else if (each.call) call(made, at);
    else if (!each.condition) set(made, state_, number(states_.at(each.next)));
    else {
      ast::If branch;
      branch.arms.push_back({span_, each.condition, {}});
      branch.arms.push_back({span_, nullptr, {}});
      set(branch.arms[0].body, state_, number(states_.at(each.next)));
      set(branch.arms[1].body, state_, number(states_.at(each.otherwise)));
      made.push_back({each.condition->span, std::move(branch)});
    }
    return made;
  }

  /// The block that ends with the call behind which this one stands.
  std::optional<std::size_t> returns_to(std::size_t at) const {
    for (std::size_t i = 0; i < flow_.blocks.size(); ++i)
      if (flow_.blocks[i].call && flow_.blocks[i].next == at) return i;
    return std::nullopt;
  }

  /// What the caller reads behind the call that the block ends with: what has a value waits, what may have one does
  /// where it has, and the rest has none again.
  struct OverCall {
    std::set<std::string> kept, perhaps, none;
  };
  OverCall over_call(std::size_t at) const {
    const FlowBlock& each = flow_.blocks[at];
    OverCall names;
    for (const std::string& name : live_.at_start[each.next]) {
      const auto& results = each.call->results;
      if (std::ranges::find(results, name) != results.end()) continue;
      const bool surely = live_.assigned[at].count(name) != 0;
      const bool perhaps = live_.perhaps_assigned[at].count(name) != 0;
      (surely ? names.kept : perhaps ? names.perhaps : names.none).insert(name);
    }
    return names;
  }

  void call(ast::Block& made, std::size_t at) {
    const FlowCall& call = *flow_.blocks[at].call;
    const std::size_t next = flow_.blocks[at].next;
    made.push_back(
        conditional(compared(ast::BinaryOp::greater_equal, depth_, most_recursion - 1), too_deep(call), call.span));
    step(made, depth_, true);
    const OverCall names = over_call(at);
    for (const std::string& name : names.kept) wait(made, name);
    for (const std::string& name : names.perhaps) {
      const ast::ExprPtr has = index("exist", {tree(ast::String{name}, span_), tree(ast::String{"var"}, span_)}, span_);
      made.push_back(assignment(last_of(has_value(name), identifier(depth_, span_), ast::Accessor::Kind::parens), has,
                                span_, false));
      ast::Block waits;
      wait(waits, name);
      made.push_back(conditional(has, std::move(waits), span_));
    }
    made.push_back(assignment(last_of(returns_, identifier(depth_, span_), ast::Accessor::Kind::parens),
                              number(states_.at(next)), span_, false));
    pass(made, call);
    set(made, state_, number(states_.at(flow_.entries[call.callee])));
  }
  void wait(ast::Block& made, const std::string& name) {
    const ast::LValue place = numbers_.empty()
                                  ? last_of(stack_of(name), one_more(), ast::Accessor::Kind::braces)
                                  : last_of(stack_of(name), identifier(depth_, span_), ast::Accessor::Kind::parens);
    made.push_back(assignment(place, identifier(name, span_), span_, false));
  }
  ast::ExprPtr row_of(const std::string& class_name) const {
    std::vector<ast::ExprPtr> args = {number(1), number(most_recursion)};
    if (class_name == "logical") return index("false", std::move(args), span_);
    if (class_name != "double") args.push_back(tree(ast::String{class_name}, span_));
    return index("zeros", std::move(args), span_);
  }
  ast::ExprPtr one_more() const { return binary(ast::BinaryOp::add, tree(ast::End{}, span_), number(1)); }

  ast::Block too_deep(const FlowCall& call) const {
    const ast::ExprPtr text = tree(ast::String{"max_recursion_depth exceeded", true}, call.span);
    return {{call.span, ast::ExprStatement{index("error", {text}, call.span), false}}};
  }

  /// The parameters of what is called, as if all were assigned at once; what else it may read has no value.
  void pass(ast::Block& made, const FlowCall& call) {
    const CycleMember& callee = cycle_[call.callee];
    const std::vector<ast::Parameter>& params = callee.function.params;
    if (call.args.size() > params.size()) throw NoFlow{call.span, "a call with too many arguments"};
    std::vector<ast::ExprPtr> values = call.args;
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::set<std::string> read;
      read_names(*values[i], read);
      const auto is_assigned = [&](std::size_t j) { return !is_named(*call.args[j], params[j].name.text); };
      bool before_others = false;
      for (std::size_t j = 0; j < values.size(); ++j)
        before_others = before_others || (j != i && is_assigned(j) && read.count(params[j].name.text) != 0);
      if (!before_others) continue;
      const std::string kept = unused("argument_" + std::to_string(i + 1), flow_.taken);
      made.push_back(assignment(kept, values[i], values[i]->span));
      values[i] = identifier(kept, values[i]->span);
    }
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!is_named(*values[i], params[i].name.text) && !params[i].ignored)
        made.push_back(assignment(params[i].name.text, values[i], values[i]->span));
    if (!callee.given.empty()) set(made, callee.given, number(static_cast<int>(values.size())));
    begin_anew(made, call.callee, values.size());
  }
  static bool is_named(const ast::Expr& expr, const std::string& name) {
    const auto* read = std::get_if<ast::Identifier>(&expr.node);
    return read && read->name == name;
  }

  void begin_anew(ast::Block& made, std::size_t callee, std::size_t passed) const {
    const CycleMember& member = cycle_[callee];
    const std::size_t entry = flow_.entries[callee];
    std::set<std::string> names = live_.at_start[entry];
    for (std::size_t i = 0; i < passed; ++i) names.erase(member.function.params[i].name.text);
    names.erase(member.given);
    for (const std::string& name : names) forget(made, name, live_.only_extended[entry]);
  }

  /// A variable of another call. What is only extended begins as [] then.
  void forget(ast::Block& made, const std::string& name, const std::set<std::string>& only_extended) const {
    if (only_extended.count(name) != 0) return set(made, name, tree(ast::Matrix{}, span_));
    made.push_back({span_, ast::ExprStatement{index("clear", {tree(ast::String{name}, span_)}, span_), false}});
  }

  void leave(ast::Block& made) const {
    ast::If branch;
    branch.arms.push_back({span_, compared(ast::BinaryOp::equal, depth_, 0), {}});
    branch.arms.push_back({span_, nullptr, {}});
    set(branch.arms[0].body, state_, number(0));
    set(branch.arms[1].body, state_, index(returns_, {identifier(depth_, span_)}, span_));
    step(branch.arms[1].body, depth_, false);
    made.push_back({span_, std::move(branch)});
  }

  /// Behind a call: its results, and the variables that waited.
  void receive(ast::Block& made, std::size_t caller) {
    const FlowCall& call = *flow_.blocks[caller].call;
    const std::vector<ast::Name>& outs = cycle_[call.callee].function.outs;
    if (call.results.size() > outs.size()) throw NoFlow{call.span, "a call with too many results"};
    std::vector<std::string> from;
    for (std::size_t i = 0; i < call.results.size(); ++i) {
      const bool overwritten = std::find(call.results.begin(), call.results.begin() + static_cast<std::ptrdiff_t>(i),
                                         outs[i].text) != call.results.begin() + static_cast<std::ptrdiff_t>(i);
      from.push_back(overwritten ? unused("result_" + std::to_string(i + 1), flow_.taken) : outs[i].text);
      if (overwritten)
        made.insert(made.begin(), assignment(from.back(), identifier(outs[i].text, call.span), call.span));
    }
    for (std::size_t i = 0; i < from.size(); ++i)
      if (call.results[i] != from[i])
        made.push_back(assignment(call.results[i], identifier(from[i], call.span), call.span));
    const OverCall names = over_call(caller);
    for (const std::string& name : names.none) forget(made, name, live_.only_extended[flow_.blocks[caller].next]);
    for (const std::string& name : names.kept) take_back(made, name);
    for (const std::string& name : names.perhaps) {
      forget(made, name, live_.only_extended[flow_.blocks[caller].next]);
      ast::Block back;
      take_back(back, name);
      made.push_back(conditional(index(has_value(name), {level_behind()}, span_), std::move(back), span_));
    }
  }

  /// Of the call that has just ended.
  ast::ExprPtr level_behind() const { return binary(ast::BinaryOp::add, identifier(depth_, span_), number(1)); }

  void take_back(ast::Block& made, const std::string& name) {
    if (!numbers_.empty()) return set(made, name, index(stack_of(name), {level_behind()}, span_));
    const auto last = [&](ast::Accessor::Kind kind) { return last_of(stack_of(name), tree(ast::End{}, span_), kind); };
    set(made, name, ast::expression_of(last(ast::Accessor::Kind::braces)));
    made.push_back(assignment(last(ast::Accessor::Kind::parens), tree(ast::Matrix{}, span_), span_, false));
  }

  const Cycle& cycle_;
  const NumberClasses& numbers_;
  Flow flow_;
  LiveNames live_;
  std::map<std::size_t, int> states_;
  std::map<std::string, std::string> stacks_;     ///< of each variable that waits
  std::map<std::string, std::string> has_value_;  ///< of those that may have no value
  const std::string state_ = unused("state", flow_.taken), depth_ = unused("depth", flow_.taken),
                    returns_ = unused("returns", flow_.taken);
  Span span_;
};

}  // namespace

StackMachine as_stack_machine(const Cycle& cycle, const NumberClasses& numbers) {
  return Machine(cycle, numbers).made();
}

}  // namespace lac::frontend
