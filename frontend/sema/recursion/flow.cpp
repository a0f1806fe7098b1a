#include "frontend/sema/recursion/flow.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <variant>

#include "frontend/ast/overload.h"
#include "frontend/sema/names/names.h"
#include "frontend/sema/recursion/rewrite.h"
#include "frontend/sema/recursion/trees.h"

namespace lac::frontend {
namespace {

using Label = std::size_t;
constexpr Label nowhere = static_cast<Label>(-1);

/// Whether an `end` in it means what is indexed around it.
bool has_free_end(const ast::Expr& expr, const std::function<bool(const std::string&)>& is_variable) {
  if (std::holds_alternative<ast::End>(expr.node)) return true;
  const auto access = ast::access_of(expr);
  const auto* name = access ? std::get_if<ast::Identifier>(&(*access->base)->node) : nullptr;
  if (access && (!name || is_variable(name->name))) return has_free_end(**access->base, is_variable);
  bool found = false;
  for_each_child(expr, [&](const ast::ExprPtr& child) { found = found || has_free_end(*child, is_variable); });
  return found;
}

class FlowBuilder {
 public:
  FlowBuilder(const Cycle& cycle, Flow& flow) : cycle_(cycle), flow_(flow) {}

  void add(std::size_t member) {
    member_ = member;
    reads_ans_ = read_counts(here().function.body).count("ans") != 0;
    loops_.clear();
    const Label entry = new_label();
    leave_ = new_label();
    entries_.push_back(entry);
    place(entry);
    const ast::Block& body = here().function.body;
    const std::size_t opening = opening_statements(here());
    for (std::size_t i = 0; i < opening; ++i)
      if (calls(body[i])) throw NoFlow{body[i].span, "a call in the first value of a persistent variable"};
    statements({body.begin() + static_cast<std::ptrdiff_t>(opening), body.end()});
    go(leave_);
    place(leave_);
    current_->leaves = true;
    end_block();
  }

  /// Labels become the positions of the blocks that they were given to.
  void finish() {
    for (FlowBlock& block : flow_.blocks) {
      block.next = position(block.next);
      block.otherwise = position(block.otherwise);
    }
    for (const Label entry : entries_) flow_.entries.push_back(position(entry));
  }

 private:
  struct Loop {
    Label next, end;
  };

  const CycleMember& here() const { return cycle_[member_]; }
  bool is_variable(const std::string& name) const {
    return here().variables.count(name) != 0 || here().shared.count(name) != 0 || here().constant.count(name) != 0;
  }

  bool has_free_end(const ast::Expr& expr) const {
    return frontend::has_free_end(expr, [&](const std::string& name) { return is_variable(name); });
  }

  // -- blocks
  Label new_label() {
    places_.push_back(nowhere);
    return places_.size() - 1;
  }
  std::size_t position(Label label) const { return label < places_.size() ? places_[label] : 0; }
  void place(Label label) {
    go(label);
    places_[label] = flow_.blocks.size();
    current_.emplace();
    current_->member = member_;
  }
  void end_block() {
    flow_.blocks.push_back(*std::move(current_));
    current_.reset();
  }
  void go(Label label) {
    if (!current_) return;
    current_->next = label;
    end_block();
  }
  void go_if(ast::ExprPtr condition, Label yes, Label no) {
    current_->condition = std::move(condition);
    current_->next = yes;
    current_->otherwise = no;
    end_block();
  }
  void append(ast::Statement statement) { current_->statements.push_back(std::move(statement)); }

  std::string fresh(const std::string& what) {
    const std::string name = unused(what + "_" + std::to_string(++fresh_[what]), flow_.taken);
    flow_.values.insert(name);
    return name;
  }
  ast::ExprPtr kept(const ast::ExprPtr& value, const std::string& what) {
    const std::string name = fresh(what);
    append(assignment(name, value, value->span));
    return identifier(name, value->span);
  }

  // -- what holds calls
  std::optional<std::size_t> member_named(const std::string& name) const {
    if (is_variable(name)) return std::nullopt;
    for (std::size_t i = 0; i < cycle_.size(); ++i)
      if (cycle_[i].function.name.text == name) return i;
    return std::nullopt;
  }
  bool calls(const ast::Expr& expr) const {
    std::set<std::string> names;
    read_names(expr, names);
    return std::ranges::any_of(names, [&](const std::string& name) { return member_named(name).has_value(); });
  }
  bool calls(const ast::ExprPtr& expr) const { return expr && calls(*expr); }
  bool calls(const ast::Statement& statement) const {
    bool found = false;
    for_each_expression(statement, [&](const ast::Expr& expr) { found = found || calls(expr); });
    for_each_inner_block(statement, [&](const ast::Block& block) {
      found = found || std::ranges::any_of(block, [&](const ast::Statement& each) { return calls(each); });
    });
    return found;
  }
  bool stays_whole(const ast::Statement& statement) const { return !calls(statement) && !exits_of(statement).any(); }
  /// Whether its value may be another one behind a call, or something else happens where it is evaluated.
  bool acts(const ast::Expr& expr) const {
    std::set<std::string> names;
    read_names(expr, names);
    return std::ranges::any_of(names, [&](const std::string& name) {
      return here().shared.count(name) != 0 || here().acting.count(name) != 0;
    });
  }

  /// A name that is no variable, as before its arguments.
  bool is_function(const ast::Expr& expr) const {
    const auto* name = std::get_if<ast::Identifier>(&expr.node);
    return name && !is_variable(name->name);
  }

  // -- expressions
  /// The expression with the values of the calls in it, which come before.
  ast::ExprPtr hoisted(const ast::ExprPtr& expr) {
    if (!calls(expr)) return expr;
    if (std::holds_alternative<ast::AnonymousFunction>(expr->node) ||
        std::holds_alternative<ast::FunctionHandle>(expr->node))
      throw NoFlow{expr->span, "a call through a handle"};
    if (const auto call = call_of(*expr)) return called(*call, expr->span);
    if (const auto map = map_of(*expr)) return mapped(*map, expr->span, true);
    if (const auto* binary = std::get_if<ast::Binary>(&expr->node); binary && is_short(binary->op)) return truth(expr);
    std::vector<ast::ExprPtr> children;
    for_each_child(*expr, [&](const ast::ExprPtr& child) { children.push_back(child); });
    children = hoisted(children);
    std::size_t next = 0;
    return with_children(expr, [&](const ast::ExprPtr&) { return children[next++]; });
  }

  std::vector<ast::ExprPtr> hoisted(std::vector<ast::ExprPtr> exprs) {
    std::size_t last = exprs.size();
    while (last > 0 && !calls(exprs[last - 1])) --last;
    for (std::size_t i = 0; i < last; ++i) {
      if (calls(exprs[i])) exprs[i] = hoisted(exprs[i]);
      if (i + 1 == last || !acts(*exprs[i]) || is_function(*exprs[i])) continue;
      if (ast::is_list(*exprs[i]) || has_free_end(*exprs[i]))
        throw NoFlow{exprs[i]->span, "what is evaluated before a call beside it"};
      exprs[i] = kept(exprs[i], "value");
    }
    return exprs;
  }

  static bool is_short(ast::BinaryOp op) { return op == ast::BinaryOp::short_and || op == ast::BinaryOp::short_or; }

  struct Call {
    std::size_t callee;
    const std::vector<ast::ExprPtr>* args;
  };
  std::optional<Call> call_of(const ast::Expr& expr) const {
    static const std::vector<ast::ExprPtr> none;
    const auto* index = std::get_if<ast::Index>(&expr.node);
    const auto* name = std::get_if<ast::Identifier>(index ? &index->callee->node : &expr.node);
    const auto callee = name ? member_named(name->name) : std::nullopt;
    if (!callee) return std::nullopt;
    return Call{*callee, index ? &index->args : &none};
  }

  void call(const Call& call, std::vector<std::string> results, Span span) {
    for (const ast::ExprPtr& arg : *call.args) {
      if (is_several(*arg)) throw NoFlow{arg->span, "a list of arguments"};
      if (has_free_end(*arg)) throw NoFlow{arg->span, "'end' in an argument"};
    }
    FlowCall made{call.callee, hoisted(*call.args), std::move(results), span};
    const Label next = new_label();
    current_->call = std::move(made);
    current_->span = span;
    current_->next = next;
    end_block();
    place(next);
  }
  /// c{:}, c{1:2}
  static bool is_several(const ast::Expr& expr) {
    const auto* braces = std::get_if<ast::BraceIndex>(&expr.node);
    return braces && std::ranges::any_of(braces->args, [](const ast::ExprPtr& arg) {
             return std::holds_alternative<ast::Colon>(arg->node) || std::holds_alternative<ast::Range>(arg->node);
           });
  }
  ast::ExprPtr called(const Call& one, Span span) {
    const std::string result = fresh("value");
    call(one, {result}, span);
    return identifier(result, span);
  }

  /// arrayfun(f, x), cellfun(f, c, "UniformOutput", false) of an f that calls.
  struct Map {
    bool of_cells, uniform;
    ast::ExprPtr function;
    std::vector<ast::ExprPtr> over;
  };
  std::optional<Map> map_of(const ast::Expr& expr) const {
    const auto* index = std::get_if<ast::Index>(&expr.node);
    const auto* name = index ? std::get_if<ast::Identifier>(&index->callee->node) : nullptr;
    const bool of_cells = name && name->name == "cellfun";
    if (!name || !(of_cells || name->name == "arrayfun") || is_variable(name->name)) return std::nullopt;
    if (index->args.size() < 2 || !calls(index->args.front())) return std::nullopt;
    Map map{of_cells, true, index->args.front(), {index->args.begin() + 1, index->args.end()}};
    if (map.over.size() > 2 && std::holds_alternative<ast::String>(map.over[map.over.size() - 2]->node)) {
      const auto& option = std::get<ast::String>(map.over[map.over.size() - 2]->node);
      const auto* value = std::get_if<ast::Identifier>(&map.over.back()->node);
      const auto* number = std::get_if<ast::Number>(&map.over.back()->node);
      const bool is_false = (value && value->name == "false") || (number && number->value == 0);
      if (option.text != "UniformOutput" || !is_false) return std::nullopt;
      map.uniform = false;
      map.over.resize(map.over.size() - 2);
    }
    return map;
  }

  /// The value of the function of a map where its parameters are those variables.
  ast::ExprPtr value_of(const Map& map, const std::vector<std::string>& items, Span span) const {
    std::vector<ast::ExprPtr> args;
    for (const std::string& item : items) args.push_back(identifier(item, span));
    if (const auto* handle = std::get_if<ast::FunctionHandle>(&map.function->node))
      return index(handle->name.text, args, span);
    const auto* function = std::get_if<ast::AnonymousFunction>(&map.function->node);
    if (!function || function->params.size() != items.size())
      throw NoFlow{map.function->span, "a call through a handle"};
    std::map<std::string, std::string> names;
    for (std::size_t i = 0; i < items.size(); ++i) names[function->params[i].name.text] = items[i];
    return renamed(function->body, names);
  }

  /// One trip for each element; null where there is to be no value.
  ast::ExprPtr mapped(const Map& map, Span span, bool with_value) {
    std::vector<ast::ExprPtr> over;
    for (const ast::ExprPtr& each : map.over) over.push_back(kept(hoisted(each), "elements"));
    const ast::ExprPtr count = kept(index("numel", {over.front()}, span), "trips");
    const std::string result = fresh("mapped");
    const ast::ExprPtr size = index("size", {over.front()}, span);
    // Logical is what values of any class of numbers join without losing it; the first one makes all elements.
    if (with_value) append(assignment(result, index(map.uniform ? "false" : "cell", {size}, span), span));
    const ast::ExprPtr trip = identifier(fresh("trip"), span);
    count_trips(trip, count, span, [&] {
      std::vector<std::string> items;
      for (const ast::ExprPtr& each : over) {
        items.push_back(fresh("item"));
        const ast::ExprPtr item =
            map.of_cells ? tree(ast::BraceIndex{each, {trip}, span}, span) : tree(ast::Index{each, {trip}, span}, span);
        append(assignment(items.back(), item, span));
      }
      const ast::ExprPtr value = value_of(map, items, span);
      if (!with_value) return statement({span, ast::ExprStatement{value, false}});
      const ast::ExprPtr given = kept(hoisted(value), "value");
      const auto kind = map.uniform ? ast::Accessor::Kind::parens : ast::Accessor::Kind::braces;
      if (map.uniform)
        append(conditional(binary(ast::BinaryOp::equal, trip, numeral(1, span)),
                           {assignment(result, index("repmat", {given, size}, span), span)}, span));
      append(assignment(ast::extended(target(result, span), {kind, {trip}, {}, nullptr, span}), given, span, false));
    });
    return with_value ? identifier(result, span) : nullptr;
  }

  /// The body as often as `count` says, with the number of the trip from 1 on.
  void count_trips(const ast::ExprPtr& trip, const ast::ExprPtr& count, Span span, const std::function<void()>& body) {
    const std::string& counter = std::get<ast::Identifier>(trip->node).name;
    append(assignment(counter, numeral(0, span), span));
    const Label head = new_label(), inner = new_label(), end = new_label();
    place(head);
    go_if(binary(ast::BinaryOp::less, trip, count), inner, end);
    place(inner);
    append(assignment(counter, binary(ast::BinaryOp::add, trip, numeral(1, span)), span));
    in_loop({head, end}, body);
    go(head);
    place(end);
  }

  /// a && b as a value.
  ast::ExprPtr truth(const ast::ExprPtr& expr) {
    const std::string result = fresh("truth");
    const Label yes = new_label(), no = new_label(), end = new_label();
    go_where(expr, yes, no, false);
    place(yes);
    append(assignment(result, logical(true, expr->span), expr->span));
    go(end);
    place(no);
    append(assignment(result, logical(false, expr->span), expr->span));
    place(end);
    return identifier(result, expr->span);
  }

  /// On to `yes` or to `no`. An operand of && and || is a scalar or an error where it is empty, other than a condition.
  void go_where(const ast::ExprPtr& condition, Label yes, Label no, bool operand) {
    const ast::Expr& bare = ast::strip_parens(*condition);
    const auto* binary = std::get_if<ast::Binary>(&bare.node);
    if (binary && calls(condition)) {
      const bool is_and = binary->op == ast::BinaryOp::short_and;
      if (is_and || binary->op == ast::BinaryOp::short_or) {
        const Label right = new_label();
        go_where(binary->left, is_and ? right : yes, is_and ? no : right, true);
        place(right);
        return go_where(binary->right, yes, no, true);
      }
      const bool may_skip = binary->op == ast::BinaryOp::logical_and || binary->op == ast::BinaryOp::logical_or;
      if (may_skip && calls(binary->right)) throw NoFlow{binary->op_span, "a call behind | or & in a condition"};
    }
    const ast::ExprPtr value = hoisted(condition);
    go_if(operand ? either(value, logical(false, value->span)) : value, yes, no);
  }

  // -- statements
  void statements(const ast::Block& block) {
    for (const ast::Statement& each : block) {
      if (!current_) return;  // behind a return
      statement(each);
    }
  }

  void statement(const ast::Statement& each) {
    if (std::holds_alternative<ast::Declaration>(each.node)) return;  // at the head of the loop
    if (stays_whole(each)) return append(each);
    for_each_expression(each, [&](const ast::Expr& expr) { refuse_steps(expr); });
    const auto refused = [&](const char* why) { throw NoFlow{each.span, why}; };
    std::visit(
        Overload{[&](const ast::ExprStatement& node) { expression(node, each.span); },
                 [&](const ast::Assign& node) { assign(node, each.span); },
                 [&](const ast::IncDec&) { refused("a call in a subscript of what is stepped"); },
                 [&](const ast::If& node) { branch(node); }, [&](const ast::Switch& node) { choose(node, each.span); },
                 [&](const ast::While& node) { loop(node); }, [&](const ast::DoUntil& node) { loop(node); },
                 [&](const ast::For& node) { loop(node, each.span); },
                 [&](const ast::Try&) { refused("a call or a return in a try"); },
                 [&](const ast::Break&) { go(loops_.back().end); },
                 [&](const ast::Continue&) { go(loops_.back().next); }, [&](const ast::Return&) { go(leave_); },
                 [&](const auto&) { refused("this statement"); }},
        each.node);
  }

  /// x++ + f(x) is in order only where both stay in one expression.
  void refuse_steps(const ast::Expr& expr) const {
    std::set<std::string> stepped;
    assigned_names(expr, stepped);
    if (!stepped.empty() && calls(expr)) throw NoFlow{expr.span, "a call beside ++ or --"};
  }

  void expression(const ast::ExprStatement& node, Span span) {
    const auto direct = call_of(ast::strip_parens(*node.expr));
    if (const auto map = map_of(ast::strip_parens(*node.expr)); map && !node.print)
      return (void)mapped(*map, span, false);
    if (!direct) return append({span, ast::ExprStatement{hoisted(node.expr), node.print}});
    if (cycle_[direct->callee].function.outs.empty() || !(node.print || reads_ans_)) return call(*direct, {}, span);
    call(*direct, {"ans"}, span);
    if (node.print) append({span, ast::ExprStatement{identifier("ans", span), true}});
  }

  void assign(const ast::Assign& node, Span span) {
    for (const ast::LValue& target : node.targets)
      for_each_subscript(target, [&](const ast::ExprPtr& arg) {
        if (calls(arg)) throw NoFlow{arg->span, "a call in a subscript of what is assigned"};
      });
    if (!node.chained.empty()) throw NoFlow{span, "a call in an assignment to several variables"};
    if (node.op && acts(*ast::expression_of(node.targets.front())))
      throw NoFlow{span, "a call in an update of a global variable"};
    const auto direct = node.op ? std::nullopt : call_of(ast::strip_parens(*node.value));
    if (!direct) {
      ast::Assign made = node;
      made.value = hoisted(node.value);
      return append({span, std::move(made)});
    }
    std::vector<std::string> results;
    std::vector<ast::Statement> after;
    for (const ast::LValue& target : node.targets) {
      const bool plain = !target.ignored && !target.is_part() && here().shared.count(target.name.text) == 0;
      const std::string result = plain ? target.name.text : fresh("value");
      results.push_back(result);
      if (target.ignored || (plain && !node.print)) continue;
      if (plain) after.push_back({span, ast::ExprStatement{identifier(result, span), true}});
      else after.push_back(assignment(target, identifier(result, node.value->span), span, node.print));
    }
    call(*direct, std::move(results), node.value->span);
    for (ast::Statement& each : after) append(std::move(each));
  }

  void branch(const ast::If& node) {
    const Label end = new_label();
    for (const ast::IfArm& arm : node.arms) {
      const Label yes = new_label(), no = new_label();
      if (arm.condition) {
        go_where(arm.condition, yes, no, false);
        place(yes);
      }
      statements(arm.body);
      go(end);
      if (arm.condition) place(no);
    }
    place(end);
  }

  // The number of the case, by a switch without calls, and the bodies by branches on it.
  void choose(const ast::Switch& node, Span span) {
    const std::string number = fresh("case");
    ast::Switch which{hoisted(node.value), {}};
    for (std::size_t i = 0; i < node.cases.size(); ++i) {
      const ast::SwitchCase& each = node.cases[i];
      if (calls(each.label)) throw NoFlow{each.label->span, "a call in the label of a case"};
      which.cases.push_back(
          {each.span, each.label, {assignment(number, numeral(static_cast<double>(i + 1), each.span), each.span)}});
    }
    append(assignment(number, numeral(0, span), span));
    append({span, std::move(which)});
    const Label end = new_label();
    for (std::size_t i = 0; i < node.cases.size(); ++i) {
      const Label yes = new_label(), no = new_label();
      go_if(binary(ast::BinaryOp::equal, identifier(number, span), numeral(static_cast<double>(i + 1), span)), yes, no);
      place(yes);
      statements(node.cases[i].body);
      go(end);
      place(no);
    }
    place(end);
  }

  /// While `body` is added, break and continue go there.
  void in_loop(const Loop& loop, const std::function<void()>& body) {
    loops_.push_back(loop);
    body();
    loops_.pop_back();
  }

  void loop(const ast::While& node) {
    const Label head = new_label(), body = new_label(), end = new_label();
    place(head);
    go_where(node.condition, body, end, false);
    place(body);
    in_loop({head, end}, [&] { statements(node.body); });
    go(head);
    place(end);
  }

  void loop(const ast::DoUntil& node) {
    const Label body = new_label(), test = new_label(), end = new_label();
    place(body);
    in_loop({test, end}, [&] { statements(node.body); });
    place(test);
    go_where(node.condition, end, body, false);
    place(end);
  }

  void loop(const ast::For& node, Span span) {
    if (node.key) throw NoFlow{span, "a call in a loop over the fields of a struct"};
    const auto* range = std::get_if<ast::Range>(&ast::strip_parens(*node.range).node);
    const ast::ExprPtr trip = identifier(fresh("trip"), span);
    ast::ExprPtr count, element, all;
    if (range) {
      const ast::ExprPtr first = kept(hoisted(range->first), "first");
      const ast::ExprPtr step = range->step ? kept(hoisted(range->step), "step") : nullptr;
      const ast::ExprPtr last = hoisted(range->last);
      count = kept(index("numel", {tree(ast::Range{first, step, last}, node.range->span)}, span), "trips");
      const ast::ExprPtr before = binary(ast::BinaryOp::subtract, trip, numeral(1, span));
      element = binary(ast::BinaryOp::add, first, step ? binary(ast::BinaryOp::times, before, step) : before);
    } else {
      all = kept(hoisted(node.range), "elements");
      count = kept(index("columns", {all}, span), "trips");
      element = tree(ast::Index{all, {tree(ast::Colon{}, span), trip}, span}, span);
    }
    count_trips(trip, count, span, [&] {
      append(assignment(node.variable, element, span, false));
      statements(node.body);
    });
    const ast::ExprPtr none = tree(ast::Range{numeral(1, span), nullptr, numeral(0, span)}, span);
    const ast::ExprPtr nothing = range ? index("zeros", {numeral(1, span), numeral(0, span)}, span)
                                       : tree(ast::Index{all, {tree(ast::Colon{}, span), none}, span}, span);
    current_->loop_variable = node.variable.name.text;
    current_->without_trips = conditional(binary(ast::BinaryOp::less, count, numeral(1, span)),
                                          {assignment(node.variable, nothing, span, false)}, span);
  }

  const Cycle& cycle_;
  Flow& flow_;
  std::size_t member_ = 0;
  bool reads_ans_ = false;
  std::vector<std::size_t> places_;  ///< of labels
  std::vector<Label> entries_;
  std::optional<FlowBlock> current_;  ///< none behind a jump
  Label leave_ = nowhere;
  std::vector<Loop> loops_;
  std::map<std::string, int> fresh_;
};

}  // namespace

Flow flow_of(const Cycle& cycle) {
  Flow flow;
  flow.taken = names_in(cycle);
  FlowBuilder builder(cycle, flow);
  for (std::size_t i = 0; i < cycle.size(); ++i) builder.add(i);
  builder.finish();
  return flow;
}

}  // namespace lac::frontend
