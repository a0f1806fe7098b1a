// Backwards over the tree: live before a statement is what it reads, and what is live behind it and it does not assign.
#include "frontend/sema/names/liveness.h"

#include <algorithm>
#include <utility>

#include "frontend/ast/overload.h"
#include "frontend/sema/names/names.h"

namespace lac::frontend {
namespace {

/// exist("x") asks for x, exist(s) for any.
bool asks_for(const ast::Expr& expr, const std::string& name) {
  bool asks = false;
  if (const auto* call = std::get_if<ast::Index>(&expr.node)) {
    const auto* callee = std::get_if<ast::Identifier>(&call->callee->node);
    const auto* text = call->args.empty() ? nullptr : std::get_if<ast::String>(&call->args.front()->node);
    asks = callee && callee->name == "exist" && (!text || text->text == name);
  }
  for_each_child(expr, [&](const ast::ExprPtr& child) { asks = asks || asks_for(*child, name); });
  return asks;
}

bool reads(const ast::Expr& expr, const std::string& name) {
  std::set<std::string> names;
  read_names(expr, names);
  return names.count(name) != 0 || (names.count("exist") != 0 && asks_for(expr, name));
}

bool is_whole(const ast::LValue& target, const std::string& name) {
  return !target.ignored && !target.is_part() && target.name.text == name;
}
bool is_part(const ast::LValue& target, const std::string& name) {
  return target.is_part() && target.name.text == name;
}

class Liveness {
 public:
  Liveness(const std::string& name, const ast::Block& loop_body) : name_(name), loop_body_(&loop_body) {}

  /// Whether it is live before the statements.
  bool before(const ast::Block& block, bool behind) {
    for (auto statement = block.rbegin(); statement != block.rend(); ++statement)
      behind = before(*statement, behind) || in_handler_;
    return behind;
  }

  bool behind_loop() const { return behind_loop_ || !found_; }

  /// `condition`: whether that of the loop reads it, which comes behind the trip.
  bool before_trip(const ast::Block& body, bool condition) {
    at_continue_ = condition;
    return before(body, condition);
  }

 private:
  bool before(const ast::Statement& statement, bool behind) {
    bool own = false;
    for_each_expression(statement, [&](const ast::Expr& expr) { own = own || reads(expr, name_); });
    const auto around = [&](bool inner) { return own || inner; };
    return std::visit(
        Overload{[&](const ast::Assign& node) { return around(of_assignment(node, behind)); },
                 [&](const ast::IncDec& node) { return around(behind || node.target.name.text == name_); },
                 [&](const ast::If& node) { return of_arms(node, behind); },
                 [&](const ast::Switch& node) { return around(of_cases(node, behind)); },
                 [&](const ast::While& node) { return around(of_loop(node.body, behind, own, true)); },
                 [&](const ast::DoUntil& node) { return of_loop(node.body, behind, own, false); },
                 [&](const ast::For& node) { return around(of_for(node, behind)); },
                 [&](const ast::Try& node) { return of_try(node, behind); },
                 [&](const ast::Break&) { return at_break_; }, [&](const ast::Continue&) { return at_continue_; },
                 [&](const ast::Return&) { return false; },
                 [&](const ast::Output& node) { return behind || names(node.names); },
                 [&](const ast::Declaration&) { return true; }, [&](const auto&) { return around(behind); }},
        statement.node);
  }

  bool names(const std::vector<ast::Name>& all) const {
    return std::ranges::any_of(all, [&](const ast::Name& each) { return each.text == name_; });
  }

  bool of_assignment(const ast::Assign& node, bool behind) const {
    const auto any = [&](bool (*is)(const ast::LValue&, const std::string&)) {
      const auto is_it = [&](const ast::LValue& target) { return is(target, name_); };
      return std::ranges::any_of(node.targets, is_it) || std::ranges::any_of(node.chained, is_it);
    };
    if (any(is_part) || (node.op && any(is_whole))) return true;
    return behind && !any(is_whole);
  }

  bool of_arms(const ast::If& node, bool behind) {
    bool live = node.arms.back().condition ? behind : false;
    for (const ast::IfArm& arm : node.arms)
      live = before(arm.body, behind) || (arm.condition && reads(*arm.condition, name_)) || live;
    return live;
  }

  bool of_cases(const ast::Switch& node, bool behind) {
    bool live = node.cases.empty() || node.cases.back().label ? behind : false;
    for (const ast::SwitchCase& each : node.cases) live = before(each.body, behind) || live;
    return live;
  }

  /// `condition`: whether that of the loop reads it, which comes first or behind a trip.
  bool of_loop(const ast::Block& body, bool behind, bool condition, bool comes_first) {
    if (&body == loop_body_) {
      found_ = true;
      behind_loop_ = behind_loop_ || behind || in_handler_;
    }
    bool again = behind || condition;
    for (int pass = 0; pass < 2; ++pass) {  // what is live before the body is so behind it
      const bool outer[2] = {at_break_, at_continue_};
      at_break_ = behind;
      at_continue_ = again;
      const bool inside = before(body, again);
      at_break_ = outer[0];
      at_continue_ = outer[1];
      if (pass == 1) return comes_first ? again || inside : inside;
      again = again || inside;
    }
    return again;
  }

  bool of_for(const ast::For& node, bool behind) {
    const bool is_variable = is_whole(node.variable, name_) || (node.key && is_whole(*node.key, name_));
    const bool before_loop = of_loop(node.body, behind, false, true);
    return is_variable ? behind : before_loop;
  }

  /// An error anywhere in the body leads to the handler.
  bool of_try(const ast::Try& node, bool behind) {
    const bool handler = before(node.handler, behind);
    const bool outer = std::exchange(in_handler_, in_handler_ || handler);
    const bool body = before(node.body, node.cleans_up ? handler : behind);
    in_handler_ = outer;
    return body || handler;
  }

  const std::string& name_;
  const ast::Block* loop_body_;
  bool at_break_ = false, at_continue_ = false;
  bool in_handler_ = false;  ///< live where an error leads to
  bool found_ = false, behind_loop_ = false;
};

}  // namespace

bool is_read_behind(const std::string& name, const ast::Block& loop_body, const ast::Block& all) {
  Liveness liveness(name, loop_body);
  liveness.before(all, false);
  return liveness.behind_loop();
}

bool is_read_first(const std::string& name, const ast::Block& body, const ast::Expr* condition, bool tests_at_top) {
  const bool condition_reads = condition && reads(*condition, name);
  if (tests_at_top && condition_reads) return true;
  return Liveness(name, body).before_trip(body, condition_reads);
}

bool is_read_in(const std::string& name, const ast::Statement& statement) {
  static const ast::Block none;
  return Liveness(name, none).before(ast::Block{statement}, false);
}

}  // namespace lac::frontend
