// Variables of which the run decides the kind. A program is lowered without them; where it fails because it reads a
// variable that its branches or loops leave with two kinds, it is lowered anew with that variable as a variant. A
// statement that reads one stands once for each kind, in the arms of a branch.
#include <algorithm>
#include <variant>

#include "frontend/sema/names/liveness.h"
#include "frontend/sema/names/names.h"
#include "frontend/sema/program/exit_flags.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/program/shared.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/variant.h"

namespace lac::frontend {
namespace {

bool differs_in_kind(const Binding& a, const Binding& b) {
  if (a.is_variant() || b.is_variant()) return !a.same_as(b);
  return a.is_leaf() && b.is_leaf() ? !a.has_class_of(b) : a.kind != b.kind;
}

bool is_loop(const ast::Statement& statement) {
  return std::holds_alternative<ast::For>(statement.node) || std::holds_alternative<ast::While>(statement.node) ||
         std::holds_alternative<ast::DoUntil>(statement.node);
}

/// Variables, of functions too, that have other values.
std::set<std::string> changed_variables(const Environment& before, const Environment& after) {
  std::set<std::string> names;
  Environment::for_each_difference(before, after, [&](const std::string& name) {
    if (!name.starts_with("#")) names.insert(root_of(name));
  });
  return names;
}

bool reads_name(const ast::Expr& expr, const std::string& name) {
  std::set<std::string> names;
  read_names(expr, names);
  return names.count(name) != 0;
}

}  // namespace

bool Lowerer::varies(const std::string& name) const { return variants_.count({frame_->name, name}) != 0; }

void Lowerer::want_variant(const std::string& name) {
  if (!is_leaf(name)) wanted_variants_.insert({frame_->name, name});
}

void Lowerer::fail_as_poisoned(const std::string& name, const Binding& binding, Span span) {
  if (binding.of_two_kinds) want_variant(name);
  emit_.fail(span, binding.poison);
}

// A variable that the arms leave with two kinds is a variant behind both.
void Lowerer::vary_in_both(std::array<Environment, 2>& after, const std::array<BlockId, 2>& blocks) {
  for (const auto& variant : variants_) {
    const std::string &function = variant.first, &name = variant.second;
    if (function != frame_->name || after[0].count(name) == 0 || after[1].count(name) == 0) continue;
    const std::array<Binding, 2> left = {whole(after[0], name), whole(after[1], name)};
    if (!differs_in_kind(left[0], left[1])) continue;
    const std::optional<Binding> form = variant_form(left[0], left[1]);
    if (!form) continue;
    for (std::size_t i = 0; i < 2; ++i)
      emit_.inside(blocks[i], [&] { put(after[i], name, as_variant(emit_, left[i], *form)); });
  }
}

// In an arm for each kind.
void Lowerer::with_each_kind(const Binding& variant, const std::string& name, Span span, const OfKind& use) {
  const auto of_kind = [&](std::size_t kind) {
    const Binding& value = alternative(variant, kind);
    bool lacks = false;
    for_each_leaf(value, name, [&](const std::string&, const Binding& leaf) {
      lacks = lacks || leaf.kind == Binding::Kind::poisoned;
    });
    if (!lacks) return use(as_complete(value));
    missing_.insert(name);
    emit_.require(emit_.builder.constant(0, Element::logical), "'" + written_name(name) + "' undefined", {},
                  "Octave:undefined-function");  // in a loop, whose next attempt has it
    throw Unreachable{};
  };
  const std::function<void(std::size_t)> from = [&](std::size_t kind) {
    if (kind + 1 == kind_count(variant)) return of_kind(kind);
    emit_.at(span);
    branch(
        is_of_kind(emit_, variant, kind), [&] { of_kind(kind); }, [&] { from(kind + 1); }, span);
  };
  from(0);
}

// The variable is of one kind while that is lowered. On paths that give it no value it is not there: the statement may
// read it in an arm alone, which those paths do not take.
void Lowerer::narrowed(const std::string& name, Span span, const std::function<void()>& use) {
  limit_size(span, {});
  const Binding variant = whole(frame_->env, name);
  const auto by_kinds = [&] {
    with_each_kind(variant, name, span, [&](const Binding& one) {
      put(frame_->env, name, one);
      use();
      if (frame_->env.count(name) != 0 && whole(frame_->env, name).same_as(one)) put(frame_->env, name, variant);
    });
  };
  const auto undefined = [&] {
    forget({name});
    use();
    if (frame_->env.count(name) == 0) frame_->env.insert_or_assign(name, form_of(variant));
  };
  const Binding& tag = tag_of(variant);
  if (tag.kind == Binding::Kind::poisoned) return undefined();
  if (!tag.defined) return by_kinds();
  emit_.at(span);
  branch(tag.defined, by_kinds, undefined, span);
}

std::optional<std::string> Lowerer::variant_read_by(const ast::Expr& expr) const {
  for (const auto& [function, name] : variants_)
    if (function == frame_->name && is_variant(name) && reads_name(expr, name)) return name;
  return std::nullopt;
}

// Of a loop that assigns it the head alone: its statements see each for themselves which kind it is of.
std::optional<std::string> Lowerer::variant_read_by(const ast::Statement& statement) const {
  for (const auto& [function, name] : variants_) {
    if (function != frame_->name || !is_variant(name)) continue;
    if (is_loop(statement) && assigned_names({statement}).count(name) != 0) {
      const auto* over = std::get_if<ast::For>(&statement.node);
      if (over && reads_name(*over->range, name)) return name;
    } else if (is_read_in(name, statement)) {
      return name;
    }
  }
  return std::nullopt;
}

bool Lowerer::is_variant(const std::string& name) const {
  const auto found = frame_->env.find(name);
  return found != frame_->env.end() && found->second.is_variant();
}

void Lowerer::lower_by_kinds(const ast::Statement& statement) {
  if (const auto name = variant_read_by(statement))
    return narrowed(*name, statement.span, [&] { lower_by_kinds(statement); });
  if (variants_.empty()) return lower_statement(statement);
  lower_by_results(statement);
}

// Whether what the statement does before it gets to the call shows: it prints, draws or assigns.
bool Lowerer::acts_before(const ast::Expr& call, const ast::Statement& statement, const Snapshot& start) {
  const auto& blocks = emit_.graph.blocks;
  const BlockId home = emit_.builder.block;
  const std::size_t old_blocks = blocks.size(), old_ops = blocks[home].ops.size();
  results_at_hand_.insert_or_assign({frame_, &call}, Binding{});
  try {
    lower_statement(statement);
  } catch (const ResultVaries&) {
  }
  results_at_hand_.erase({frame_, &call});
  bool found = !changed_variables(start.env, frame_->env).empty();
  const auto look_at = [&](const Block& block, std::size_t from) {
    for (std::size_t k = from; k < block.ops.size(); ++k) {
      const OpKind kind = emit_.graph.ops[block.ops[k]].kind;
      found = found || (has_trait(kind, trait::effect) && kind != OpKind::check);
    }
  };
  look_at(blocks[home], old_ops);
  for (std::size_t n = old_blocks; n < blocks.size(); ++n) look_at(blocks[BlockId{static_cast<std::uint32_t>(n)}], 0);
  restore(start);
  return found;
}

// Whether the statement reads, before it gets to the call, what the call has changed.
bool Lowerer::reads_changed(const ast::Expr& call, const ast::Statement& statement, const Environment& before) const {
  const std::set<std::string> changed = changed_variables(before, frame_->env);
  if (changed.empty()) return false;
  bool found = false;
  const std::function<void(const ast::Expr&)> visit = [&](const ast::Expr& expr) {
    if (expr.span.begin >= call.span.begin && expr.span.end <= call.span.end) return;
    if (expr.span.begin >= call.span.end) return;  // to the right
    if (expr.span.end >= call.span.end) {          // around it
      for_each_child(expr, [&](const ast::ExprPtr& child) {
        const auto* name = std::get_if<ast::Identifier>(&child->node);
        if (!name || frame_->env.count(name->name) != 0) visit(*child);  // no function that it is an argument of
      });
      return;
    }
    std::set<std::string> names;
    read_names(expr, names);
    for (const std::string& name : names)
      found = found || changed.count(name) != 0 || (frame_->env.count(name) == 0 && functions_.count(name) != 0);
  };
  for_each_expression(statement, visit);
  return found;
}

void Lowerer::refuse_order(const ast::Expr& call) {
  emit_.fail(call.span,
             "the run decides of which kind the result of this call is, and it would be made before what stands to the "
             "left of it: assign it to a variable first");
}

void Lowerer::lower_by_results(const ast::Statement& statement) {
  const Snapshot start = save();
  const ast::Expr* call = nullptr;
  const std::size_t depth = statements_by_results_.size();
  const bool tests_again =
      std::holds_alternative<ast::While>(statement.node) || std::holds_alternative<ast::DoUntil>(statement.node);
  statements_by_results_.push_back({tests_again ? nullptr : frame_, emit_.arms()});
  try {
    lower_statement(statement);
  } catch (const ResultVaries& found) {
    call = found.call;
  } catch (...) {
    statements_by_results_.resize(depth);
    throw;
  }
  statements_by_results_.resize(depth);
  if (!call) return;
  restore(start);
  if (acts_before(*call, statement, start)) refuse_order(*call);
  frame_->taken_whole = call;
  const Binding result = lower_expr(*call);
  if (reads_changed(*call, statement, start.env)) refuse_order(*call);
  if (const ValueId defined = tag_of(result).defined)
    emit_.require(defined, "value on the right hand side of the assignment not defined", {});
  with_each_kind(result, "", call->span, [&](const Binding& one) {
    results_at_hand_.insert_or_assign({frame_, call}, one);
    lower_by_kinds(statement);
    results_at_hand_.erase({frame_, call});
  });
}

Binding Lowerer::result_within(const ast::Expr& call, Binding result) {
  if (!result.is_variant() || frame_->taken_whole == &call) return result;
  if (!statements_by_results_.empty() && statements_by_results_.back() == Place{frame_, emit_.arms()})
    throw ResultVaries{&call};
  refuse_variant(result, call.span);
  return result;
}

void Lowerer::refuse_variant(const Binding& result, Span span) {
  if (result.is_variant())
    emit_.fail(span, "the run decides whether this is a " + kinds_text(result) +
                         ", which cannot be told apart here: assign it to a variable first");
}

ValueId Lowerer::truth_by_kinds(const std::string& name, const ast::Expr& expr, TruthOf truth_of) {
  narrowed(name, expr.span, [&] { frame_->env[truth_name] = Binding::matrix((this->*truth_of)(expr)); });
  const auto found = frame_->env.find(truth_name);
  if (found == frame_->env.end()) throw Unreachable{};  // all kinds stop the program
  const ValueId result = found->second.value;
  frame_->env.erase(truth_name);
  return result;
}

}  // namespace lac::frontend
