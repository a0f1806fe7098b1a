// Statements: assignment, printing, the flow through a list.
#include <algorithm>

#include "frontend/ast/print.h"
#include "frontend/sema/arrays/operators.h"
#include "frontend/sema/complex/arithmetic.h"
#include "frontend/sema/integers/integers.h"
#include "frontend/sema/program/exit_flags.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/effects.h"
#include "frontend/sema/values/operators.h"
#include "frontend/sema/values/show.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/strings.h"
#include "frontend/sema/values/variant.h"

namespace lac::frontend {
namespace {

bool leaves(const ast::Block& arm) {
  if (arm.empty()) return false;
  const auto& last = arm.back().node;
  return std::holds_alternative<ast::Break>(last) || std::holds_alternative<ast::Continue>(last) ||
         std::holds_alternative<ast::Return>(last);
}

// An if behind which the flow goes on from one arm alone: what follows belongs to that arm.
bool goes_on_from_one_arm(const ast::If& node) {
  int falling = 1;  // the missing else
  for (const ast::IfArm& arm : node.arms) {
    if (!arm.condition) --falling;
    if (!leaves(arm.body)) ++falling;
  }
  return falling == 1;
}

// An empty pair of brackets or quotes as it is written; a value without elements deletes nothing.
bool deletes(const ast::Assign& node) {
  const ast::LValue& target = node.targets.front();
  const bool of_elements = !target.path.empty() && target.path.back().kind == ast::Accessor::Kind::parens;
  if ((!target.args && !of_elements) || !node.chained.empty()) return false;
  const auto* matrix = std::get_if<ast::Matrix>(&node.value->node);
  const auto* text = std::get_if<ast::String>(&node.value->node);
  return (matrix && matrix->rows.empty()) || (text && text->text.empty());
}

}  // namespace

ValueId Lowerer::alive() {
  ValueId stopped = emit_.builder.constant(0, Element::logical);
  for (const char* flag : exit_flags) {
    const auto found = frame_->env.find(flag);
    if (found == frame_->env.end()) continue;
    const std::optional<double> known = emit_.constant_of(found->second.value);
    if (known && *known == 0) continue;
    if (known) return emit_.builder.constant(0, Element::logical);
    stopped = emit_.constant_of(stopped) ? found->second.value
                                         : emit_.builder.map(ScalarOp::logical_or, stopped, found->second.value);
  }
  return emit_.builder.map(ScalarOp::logical_not, stopped);
}

namespace {

/// While it lives, what remains behind the statement at hand is that of this block.
class RemainingPlace {
 public:
  RemainingPlace(const Remaining*& place, const ast::Block& block)
      : place_(place),
        before_(place),
        here_{&block, 0, before_ && before_->block == &block ? before_->around : before_} {
    place_ = &here_;
  }
  ~RemainingPlace() { place_ = before_; }
  RemainingPlace(const RemainingPlace&) = delete;
  RemainingPlace& operator=(const RemainingPlace&) = delete;

  void is_behind(std::size_t statement) { here_.from = statement + 1; }

 private:
  const Remaining*& place_;
  const Remaining* const before_;
  Remaining here_;
};

}  // namespace

// No statement may be missing where nothing is reported. What loops and `try` attempt is judged once it stands.
void Lowerer::leave_out() {
  left_out_ = true;
  if (tries_.empty() && attempts_.empty()) throw InternalError("a statement was left out without a word");
}

void Lowerer::lower_list(const ast::Block& block, std::size_t from, const Tail& tail) {
  RemainingPlace remaining(frame_->remaining, block);
  for (std::size_t i = from; i < block.size(); ++i) {
    const ast::Statement& statement = block[i];
    remaining.is_behind(i);
    const auto set = [&](const char* flag) {
      frame_->env[flag] = Binding::matrix(emit_.builder.constant(1, Element::logical));
    };
    if (std::holds_alternative<ast::Break>(statement.node) || std::holds_alternative<ast::Continue>(statement.node)) {
      if (frame_->loops.empty()) {
        emit_.diagnostics.error(statement.span, "break and continue must be inside a loop");
        return;
      }
      return set(std::holds_alternative<ast::Break>(statement.node) ? "#break" : "#continue");
    }
    if (std::holds_alternative<ast::Return>(statement.node)) return set("#return");

    const Exits exits = exits_of(statement);
    const auto* conditional = std::get_if<ast::If>(&statement.node);
    const std::size_t reported = emit_.diagnostics.items().size();
    try {
      if (conditional && exits.any() && goes_on_from_one_arm(*conditional) && !variant_read_by(statement)) {
        emit_.at(statement.span);
        lower_if(*conditional, 0, [&] { lower_list(block, i + 1, tail); });
        return;
      }
      emit_.unsaid.reset();
      lower_by_kinds(statement);
    } catch (const LowerError&) {
      if (emit_.unsaid && emit_.diagnostics.items().size() == reported) emit_.diagnostics.add(*emit_.unsaid);
      if (!emit_.diagnostics.has_errors()) leave_out();
      throw_reported(reported);
      stop_in_recursion(reported);
      for (const std::string& name : assigned_names({statement})) frame_->env[name] = Binding{};
      if (emit_.diagnostics.error_count() > 20) throw;
    }
    if (!exits.breaks && !exits.continues && !exits.returns) continue;
    const ValueId going_on = alive();
    if (emit_.constant_of(going_on) == 1.0) continue;
    if (emit_.constant_of(going_on) == 0.0) return;
    branch(
        going_on,
        [&] {
          for (const char* flag : exit_flags) frame_->env.erase(flag);
          lower_list(block, i + 1, tail);
        },
        [] {}, statement.span);
    return;
  }
  if (tail) tail();
}

void Lowerer::lower_statement(const ast::Statement& statement) {
  emit_.at(statement.span);
  note_place(statement);
  const Span span = statement.span;
  if (stack_.size() > 1 || !frame_->loops.empty()) ++statements_lowered_;
  if (const auto* node = std::get_if<ast::Assign>(&statement.node)) return lower_assign(*node, span);
  if (const auto* node = std::get_if<ast::If>(&statement.node)) return lower_if(*node, 0, {});
  if (const auto* node = std::get_if<ast::Switch>(&statement.node)) return lower_switch(*node, span);
  if (const auto* node = std::get_if<ast::Try>(&statement.node)) return lower_try(*node, span);
  if (const auto* node = std::get_if<ast::While>(&statement.node))
    return lower_conditional(LoopKind::while_true, node->body, *node->condition, span);
  if (const auto* node = std::get_if<ast::DoUntil>(&statement.node))
    return lower_conditional(LoopKind::do_until, node->body, *node->condition, span);
  if (const auto* node = std::get_if<ast::For>(&statement.node)) return lower_for(*node, span);
  if (const auto* node = std::get_if<ast::IncDec>(&statement.node)) {
    const Binding value = step_variable(node->target, node->increment, node->prefix, node->op_span);
    assign_name("ans", value);
    if (node->print) print_binding(emit_, "ans", value);
    return;
  }
  if (const auto* node = std::get_if<ast::Declaration>(&statement.node)) return lower_declaration(*node, span);
  if (const auto* node = std::get_if<ast::ExprStatement>(&statement.node)) return lower_expression_statement(*node);
  if (const auto* node = std::get_if<ast::Param>(&statement.node)) {
    if (frame_->name.empty() && stack_.size() == 1)
      for (std::size_t i = 0; i < interface_->parameters.size(); ++i)
        if (interface_->parameters[i].span == node->name.span)
          return lower_parameter(*node, interface_->parameters[i],
                                 i < signature_->size() ? (*signature_)[i] : ParameterSignature{});
    emit_.fail(span, "param must stand at the top level of a file");
  }
}

void Lowerer::lower_expression_statement(const ast::ExprStatement& node) {
  frame_->taken_whole = &ast::strip_parens(*node.expr);
  const std::vector<Binding> values = lower_multi(*node.expr, 0);
  if (values.empty()) return;
  const auto* identifier = std::get_if<ast::Identifier>(&node.expr->node);
  const bool variable = identifier && frame_->env.count(identifier->name) != 0;
  const auto take = [&](const Binding& value) {
    if (!variable) assign_name("ans", value);
    if (node.print) require_shown(value, variable ? identifier->name : "ans");
    if (node.print) show(variable ? identifier->name : "ans", value);
  };
  for (const Binding& value : values) {  // several of a list, c{:}
    if (!variable && value.is_leaf() && value.defined)
      branch(
          value.defined, [&] { take(value); }, [] {}, node.expr->span);  // a result that may not be set
    else take(value);
    if (!ast::is_list(*node.expr)) break;
  }
}

// Why a name that looks defined is not: the call left an argument out, or the variable is the program's.
std::vector<Note> Lowerer::undefined_notes(const std::string& name) const {
  if (!frame_->function) return {};
  const auto& params = frame_->function->params;
  if (std::ranges::any_of(params, [&](const ast::Parameter& param) { return param.name.text == name; }))
    return {{frame_->call_span, "this call gives " + std::to_string(frame_->nargin) + " of the " +
                                    std::to_string(params.size()) + " arguments of " + frame_->name}};
  if (stack_.front()->env.count(name) == 0) return {};
  return {{{}, "a function does not see the variables of the program: pass '" + name + "' to " + frame_->name}};
}

void Lowerer::stop_as_undefined(const std::string& name, Span span) {
  const std::string written = written_name(name);
  if (!emit_.conditional()) emit_.fail(span, "'" + written + "' undefined", undefined_notes(name));
  emit_.at(span);
  emit_.require(emit_.builder.constant(0, Element::logical), "'" + written + "' undefined", {},
                "Octave:undefined-function");
  throw Unreachable{};
}

// A complex variable that a loop or an arm alone makes has parts that may lack.
void Lowerer::require_parts(const std::string& name, const Binding& value, Span span) {
  const Binding& re = value.aggregate->slots[0].items[0];
  const bool lacks = re.kind == Binding::Kind::poisoned;
  if (!lacks && !re.defined) return;
  for_each_leaf(value, name, [&](const std::string& path, const Binding&) { missing_.insert(path); });
  if (lacks) {
    for (const char* part : {".re", ".im"})
      if (const auto found = frame_->env.find(name + part); found != frame_->env.end() && !found->second.poison.empty())
        emit_.fail(span, found->second.poison);  // the branch that left it so says why
    stop_as_undefined(name, span);
  }
  emit_.require(re.defined, "'" + name + "' undefined", {}, "Octave:undefined-function");
}

Binding Lowerer::lookup(const std::string& name, Span span) {
  const auto found = frame_->env.find(name);
  if (found == frame_->env.end()) {
    missing_.insert(name);
    stop_as_undefined(name, span);
  }
  Binding binding = whole(frame_->env, name);
  if (binding.kind == Binding::Kind::poisoned) {
    if (!binding.poison.empty()) fail_as_poisoned(name, binding, span);
    throw LowerError{};
  }
  if (binding.is_variant())
    emit_.fail(span, "the run decides whether '" + written_name(name) + "' is a " + kinds_text(binding) +
                         ", which cannot be told apart here");
  if (binding.is_complex()) require_parts(name, binding, span);
  if (binding.defined) {
    missing_.insert(name);
    emit_.at(span);
    emit_.require(binding.defined, "'" + written_name(name) + "' undefined", {}, "Octave:undefined-function");
    binding.defined = {};
  }
  mention(name, span);
  return binding;
}

void Lowerer::assign_name(const std::string& name, Binding value) {
  if ((value.is_matrix() || value.is_integer()) && emit_.graph.values[value.value].name.empty() &&
      !name.starts_with("#"))
    emit_.graph.values[value.value].name = value_name(name);
  value.defined = {};
  if (value.is_variant()) variants_.insert({frame_->name, name});  // what a function gave
  put(frame_->env, name, value);
  if (emit_.builder.location)
    frame_->first_assignment.emplace(name, emit_.graph.locations[emit_.builder.location].span);
}

// The same of a complex variable, whose parts may lack.
Binding Lowerer::complex_base_of_store(const ast::LValue& target) {
  const std::string& name = target.name.text;
  const Binding base = whole(frame_->env, name);
  const Binding& re = base.aggregate->slots[0].items[0];
  if (re.kind == Binding::Kind::poisoned) {
    begun_.insert(name);
    for_each_leaf(base, name, [&](const std::string& path, const Binding&) { begun_.insert(path); });
    return Binding::matrix(emit_.nothing());
  }
  if (!re.defined || !emit_.type(re.value).is_dense()) return lookup(name, target.span);
  const ValueId defined = re.defined;
  const Complex perhaps = each_part(parts_of(emit_, base), [&](ValueId part) {
    return branch_value(
        emit_, defined, [&] { return part; }, [&] { return emit_.nothing(); });
  });
  return complex_binding(emit_, perhaps);
}

// Elements are assigned to a variable that is not there yet: [], of the class that they have.
Binding Lowerer::new_base(const std::string& name, const Binding& value) {
  begun_.insert(name);
  const ValueId nothing = emit_.nothing();
  const ValueId part = value.is_complex() ? parts_of(emit_, value).re : value.is_matrix() ? value.value : ValueId{};
  if (part && emit_.type(part).is_sparse()) return Binding::matrix(to_csr(emit_, nothing));
  const IntegerClass integer_class = element_class(value);
  if (integer_class == IntegerClass::none) return Binding::matrix(nothing);
  return Binding::integer(integer_class, emit_.builder.convert(nothing, Element::integer));
}

// What elements are assigned to; where there is nothing yet, [].
Binding Lowerer::base_of_store(const ast::LValue& target) {
  const std::string& name = target.name.text;
  const auto found = frame_->env.find(name);
  if (found == frame_->env.end()) {
    begun_.insert(name);
    return Binding::matrix(emit_.nothing());
  }
  const Binding base = found->second;
  if (base.is_complex()) return complex_base_of_store(target);
  const bool fits_nothing =
      base.is_text() || base.is_integer() || (base.is_matrix() && emit_.type(base.value).is_dense());  // [] is dense
  if (base.is_compound() || !base.defined || !fits_nothing) return lookup(name, target.span);
  const ValueId perhaps = branch_value(
      emit_, base.defined, [&] { return base.is_text() ? codes(emit_, base) : base.value; },
      [&] { return emit_.nothing(); });
  return base.with_value(perhaps);
}

void Lowerer::assign(const ast::LValue& target, Binding value, bool print) {
  const std::string& name = target.name.text;
  if (target.ignored) return;
  if (target.is_part()) value = with_part(target, value);
  assign_name(name, value);
  mention(name, target.name.span);
  if (!print) return;
  require_shown(whole(frame_->env, name), name);
  show(name, whole(frame_->env, name));
}

// The variable with the value in the part of it that the target names.
Binding Lowerer::with_part(const ast::LValue& target, const Binding& value) {
  const std::string& name = target.name.text;
  const bool is_new = frame_->env.count(name) == 0;
  const Binding base = is_new ? Binding{} : whole(frame_->env, name);
  if (base.is_map() && target.args) {
    const ast::Accessor step{ast::Accessor::Kind::parens, *target.args, {}, nullptr, target.span};
    store_map(base, {&step, 1}, value);
    return base;
  }
  const bool of_matrices = !base.is_aggregate() && (!value.is_aggregate() || value.is_array());
  if (target.args && of_matrices)
    return assign_index(is_new ? new_base(name, value) : base_of_store(target), name, *target.args, value, target.span);
  if (is_new) begun_.insert(name);
  else if (!base.is_aggregate() || base.defined) lookup(name, target.span);
  std::vector<ast::Accessor> path = target.path;
  if (target.args) path.push_back({ast::Accessor::Kind::parens, *target.args, {}, nullptr, target.span});
  return store(is_new ? nullptr : &base, name, path, value);
}

void Lowerer::assign_chained(const ast::Assign& node, const Binding& value) {
  for (auto target = node.chained.rbegin(); target != node.chained.rend(); ++target) assign(*target, value, false);
}

void Lowerer::lower_assign(const ast::Assign& node, Span span) {
  std::set<std::string> stepped;
  for (const ast::LValue& target : node.targets) stepped.merge(names_stepped_in(target));
  const bool once = !node.op && node.targets.size() == 1 && node.chained.empty() &&
                    stepped.count(node.targets.front().name.text) == 0;
  if (!stepped.empty() && !once)
    emit_.fail(
        span,
        "++ and -- in the subscripts of what is assigned are supported in x(k++) = v alone: write them as a statement "
        "of their own");
  if (node.op) return lower_update(node, span);
  frame_->taken_whole = node.targets.front().is_part() ? nullptr : &ast::strip_parens(*node.value);
  if (node.bracketed || node.targets.size() != 1) return lower_several(node, span);
  const std::string& name = node.targets.front().name.text;
  const bool of_map = frame_->env.count(name) != 0 && whole(frame_->env, name).is_map();
  if (deletes(node) && !of_map) return lower_deletion(node);
  const Environment before = frame_->env;
  std::optional<Binding> map = reconstructed_map(node);
  Binding value = map ? *std::move(map) : lower_expr(*node.value);
  require_order(node.targets.front(), before);
  emit_.at(span);
  assign_chained(node, value);
  assign(node.targets.front(), std::move(value), node.print);
}

// (x = e): what is assigned. (x += e): what the target holds then.
Binding Lowerer::lower_assignment(const ast::Assignment& node, Span span) {
  const ast::Assign statement{{*ast::target_of(*node.target)}, {}, false, node.op, node.op_span, node.value, false};
  const ast::LValue& target = statement.targets.front();
  if (!names_stepped_in(target).empty())
    emit_.fail(target.span,
               "++, -- and assignments in the subscripts of what an expression assigns are not supported: "
               "write a statement of its own");
  if (deletes(statement)) emit_.fail(span, "elements are deleted by a statement of its own, not within an expression");
  if (node.op) {
    lower_assign(statement, span);
    return lower_expr(*node.target);
  }
  const Environment before = frame_->env;
  const Binding value = lower_expr(*node.value);
  require_order(target, before);
  emit_.at(span);
  assign(target, value, false);
  return value;
}

// x(i) = [], s.x(i) = []
void Lowerer::lower_deletion(const ast::Assign& node) {
  const ast::LValue& target = node.targets.front();
  if (target.args) {
    const Binding base = frame_->env.count(target.name.text) != 0 ? whole(frame_->env, target.name.text) : Binding{};
    const Binding from = base.is_aggregate() ? lookup(target.name.text, target.span) : base_of_store(target);
    assign_name(target.name.text, delete_elements(from, target.name.text, *target.args, target.span));
  } else {
    const ast::LValue whole_part = ast::without_last(target);  // what loses elements
    const std::vector<ast::ExprPtr> args = target.path.back().args;
    const Binding from = lower_expr(*expression_of(whole_part));
    assign(whole_part, delete_elements(from, source_of(whole_part), args, target.span), false);
  }
  mention(target.name.text, target.name.span);
  if (node.print) show(target.name.text, whole(frame_->env, target.name.text));
}

// x += e
void Lowerer::lower_update(const ast::Assign& node, Span span) {
  const ast::LValue& target = node.targets.front();
  const auto number = [&](const ast::Expr& expr) {
    const Binding value = lower_expr(expr);
    return value.is_complex() || value.is_array() || value.is_integer() ? value
                                                                        : Binding::matrix(as_value(value, expr));
  };
  const Binding right = number(*node.value);  // first: it may step the target
  if (!target.is_part()) {
    const Binding variable = lookup(target.name.text, target.span);
    if (!variable.is_matrix() && !variable.is_integer() && !variable.is_complex() && !variable.is_array())
      emit_.fail(target.span, "'" + target.name.text + "' is not a matrix");
  }
  const Environment before = frame_->env;
  const OpId first = next_op(emit_.graph);
  const Binding old = number(*expression_of(target));
  require_shared_unchanged(before, target.span, "what is updated, whose subscripts are computed twice,");
  require_no_effect(emit_, first, target.span);
  emit_.at(span);
  assign_chained(node, right);
  assign(target, operated(*node.op, old, right, {target.span, node.value->span, node.op_span, span}), node.print);
}

}  // namespace lac::frontend
