// Statements: assignment, printing, the flow through a list.
#include <algorithm>

#include "frontend/ast/print.h"
#include "frontend/sema/program/lowerer.h"

namespace lac::frontend {
namespace {

constexpr const char* exit_flags[] = {"#break", "#continue", "#return"};

}  // namespace

// Break, continue and return are logical variables with names of their own, so that joins treat them like any other.
ValueId Lowerer::alive() {
  ValueId stopped = builder.constant(0, Element::logical);
  for (const char* flag : exit_flags) {
    const auto found = frame->env.find(flag);
    if (found == frame->env.end()) continue;
    const std::optional<double> known = constant_of(found->second.value);
    if (known && *known == 0) continue;
    if (known) return builder.constant(0, Element::logical);
    stopped =
        constant_of(stopped) ? found->second.value : builder.map(ScalarOp::logical_or, stopped, found->second.value);
  }
  return builder.map(ScalarOp::logical_not, stopped);
}

void Lowerer::lower_list(const ast::Block& block, std::size_t from, const Tail& tail) {
  for (std::size_t i = from; i < block.size(); ++i) {
    const ast::Statement& statement = block[i];
    const auto set = [&](const char* flag) {
      frame->env[flag] = Binding::matrix(builder.constant(1, Element::logical));
    };
    if (std::holds_alternative<ast::Break>(statement.node) || std::holds_alternative<ast::Continue>(statement.node)) {
      if (frame->loops.empty()) {
        diagnostics.error(statement.span, "break and continue must be inside a loop");
        return;
      }
      return set(std::holds_alternative<ast::Break>(statement.node) ? "#break" : "#continue");
    }
    if (std::holds_alternative<ast::Return>(statement.node)) return set("#return");

    const Exits exits = exits_of(statement);
    const auto* conditional = std::get_if<ast::If>(&statement.node);
    const BlockId home = builder.block;
    const std::size_t depth = open_blocks.size();
    const std::size_t active = stack_.size();
    try {
      if (conditional && exits.any()) {
        int falling = 1;  // the missing else
        for (const ast::IfArm& arm : conditional->arms) {
          if (!arm.condition) --falling;
          const auto* last = arm.body.empty() ? nullptr : &arm.body.back().node;
          const bool leaves =
              last && (std::holds_alternative<ast::Break>(*last) || std::holds_alternative<ast::Continue>(*last) ||
                       std::holds_alternative<ast::Return>(*last));
          if (!leaves) ++falling;
        }
        if (falling == 1) {  // what follows belongs to the one arm that gets there
          builder.location = locate(statement.span);
          lower_if(*conditional, 0, [&] { lower_list(block, i + 1, tail); });
          return;
        }
      }
      lower_statement(statement);
    } catch (const LowerError&) {
      builder.block = home;
      open_blocks.resize(depth);
      while (stack_.size() > active) stack_.pop_back();
      frame = stack_.back();
      ends.clear();
      for (const std::string& name : assigned_names({statement})) frame->env[name] = Binding{};
      if (diagnostics.error_count() > 20) throw;
    }
    if (!exits.breaks && !exits.continues && !exits.returns) continue;
    const ValueId going_on = alive();
    if (constant_of(going_on) == 1.0) continue;
    if (constant_of(going_on) == 0.0) return;
    branch(
        going_on,
        [&] {
          for (const char* flag : exit_flags) frame->env.erase(flag);
          lower_list(block, i + 1, tail);
        },
        [] {}, statement.span);
    return;
  }
  if (tail) tail();
}

void Lowerer::lower_statement(const ast::Statement& statement) {
  builder.location = locate(statement.span);
  const Span span = statement.span;
  if (stack_.size() > 1 || !frame->loops.empty()) ++statements_lowered_;
  if (const auto* node = std::get_if<ast::Assign>(&statement.node)) return lower_assign(*node, span);
  if (const auto* node = std::get_if<ast::If>(&statement.node)) return lower_if(*node, 0, {});
  if (const auto* node = std::get_if<ast::While>(&statement.node))
    return lower_conditional(LoopKind::while_true, node->body, *node->condition, span);
  if (const auto* node = std::get_if<ast::DoUntil>(&statement.node))
    return lower_conditional(LoopKind::do_until, node->body, *node->condition, span);
  if (const auto* node = std::get_if<ast::For>(&statement.node)) return lower_for(*node, span);
  if (const auto* node = std::get_if<ast::IncDec>(&statement.node)) {
    const Binding value = Binding::matrix(step_variable(node->target, node->increment, node->prefix, node->op_span));
    assign_name("ans", value);
    if (node->print) print_binding("ans", value);
    return;
  }
  if (const auto* node = std::get_if<ast::ExprStatement>(&statement.node)) {
    const std::vector<Binding> values = lower_multi(*node->expr, 0);
    if (values.empty()) return;
    const auto* identifier = std::get_if<ast::Identifier>(&node->expr->node);
    const bool variable = identifier && frame->env.count(identifier->name) != 0;
    if (!variable) assign_name("ans", values.front());
    if (node->print) print_binding(variable ? identifier->name : "ans", values.front());
    return;
  }
  if (const auto* node = std::get_if<ast::Param>(&statement.node)) {
    if (frame->name.empty() && stack_.size() == 1)
      for (std::size_t i = 0; i < interface_->parameters.size(); ++i)
        if (interface_->parameters[i].span == node->name.span)
          return lower_parameter(*node, interface_->parameters[i],
                                 i < signature_->size() ? (*signature_)[i] : ParameterSignature{});
    fail(span, "param must stand at the top level of a file");
  }
}

// Why a name that looks defined is not: the call left an argument out, or the variable is the program's.
std::vector<Note> Lowerer::undefined_notes(const std::string& name) const {
  if (!frame->function) return {};
  const auto& params = frame->function->params;
  if (std::ranges::any_of(params, [&](const ast::Parameter& param) { return param.name.text == name; }))
    return {{frame->call_span, "this call gives " + std::to_string(frame->nargin) + " of the " +
                                   std::to_string(params.size()) + " arguments of " + frame->name}};
  if (stack_.front()->env.count(name) == 0) return {};
  return {{{}, "a function does not see the variables of the program: pass '" + name + "' to " + frame->name}};
}

Binding Lowerer::lookup(const std::string& name, Span span) {
  const auto found = frame->env.find(name);
  if (found == frame->env.end()) {
    missing_.insert(name);
    if (conditional_ == 0) fail(span, "'" + name + "' undefined", undefined_notes(name));
    builder.location = locate(span);
    require(builder.constant(0, Element::logical), "'" + name + "' undefined", {}, "Octave:undefined-function");
    throw Unreachable{};
  }
  const Binding& binding = found->second;
  if (binding.kind == Binding::Kind::poisoned) {
    if (!binding.poison.empty()) fail(span, binding.poison);
    throw LowerError{};
  }
  if (binding.defined) {
    missing_.insert(name);
    require(binding.defined, "'" + name + "' undefined", {}, "Octave:undefined-function");
  }
  mention(name, span);
  return binding;
}

void Lowerer::assign_name(const std::string& name, Binding value) {
  if (value.is_matrix() && graph.values[value.value].name.empty() && !name.starts_with("#"))
    graph.values[value.value].name = name;
  value.defined = {};
  frame->env[name] = std::move(value);
  if (builder.location) frame->first_assignment.emplace(name, graph.locations[builder.location].span);
}

void Lowerer::assign(const ast::LValue& target, Binding value, bool print) {
  const std::string& name = target.name.text;
  if (target.ignored) return;
  if (target.args) {
    const auto found = frame->env.find(name);
    const auto fits_nothing = [&](const Binding& binding) {  // [] is dense
      return binding.is_text() || (binding.is_matrix() && type(binding.value).is_dense());
    };
    Binding base;
    if (found == frame->env.end()) {
      begun_.insert(name);
      base = Binding::matrix(nothing());
    } else if (found->second.defined && fits_nothing(found->second)) {
      const Binding maybe = found->second;  // without a value so far: as if it were []
      const ValueId codes_or_nothing = branch_value(
          maybe.defined, [&] { return maybe.is_text() ? codes(maybe) : maybe.value; }, [&] { return nothing(); });
      base = maybe.is_text() ? Binding::computed_text(codes_or_nothing, maybe.double_quoted)
                             : Binding::matrix(codes_or_nothing);
    } else {
      base = lookup(name, target.span);
    }
    value = assign_index(base, name, *target.args, value, target.span);
  }
  assign_name(name, value);
  mention(name, target.name.span);
  if (print) print_binding(name, frame->env[name]);
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
    fail(span,
         "++ and -- in the subscripts of what is assigned are supported in x(k++) = v alone: write them as a statement "
         "of their own");
  if (node.op) {
    const ast::LValue& target = node.targets.front();
    const ValueId right = lower_value(*node.value);  // first: it may step the target
    Binding current = lookup(target.name.text, target.span);
    if (!current.is_matrix()) fail(target.span, "'" + target.name.text + "' is not a matrix");
    ValueId old = current.value;
    if (target.args) old = index_value(old, target.name.text, *target.args, target.span);
    builder.location = locate(span);
    assign_chained(node, Binding::matrix(right));
    operands_ = {target.span, node.value->span, node.op_span, span, old, right};
    const ValueId result = binary(*node.op, old, right, span);
    return assign(target, Binding::matrix(result), node.print);
  }
  if (!node.bracketed && node.targets.size() == 1) {
    Binding value = lower_expr(*node.value);
    builder.location = locate(span);
    assign_chained(node, value);
    return assign(node.targets.front(), std::move(value), node.print);
  }
  const std::vector<Binding> values = lower_multi(*node.value, static_cast<int>(node.targets.size()));
  builder.location = locate(span);
  for (std::size_t i = 0; i < node.targets.size(); ++i) {
    if (i >= values.size()) {
      if (node.targets[i].ignored) continue;
      fail(node.targets[i].span, i == 0 ? "value on the right hand side of the assignment not defined"
                                        : "element number " + std::to_string(i + 1) + " undefined in return list");
    }
    if (values[i].kind == Binding::Kind::poisoned && !values[i].poison.empty() && !node.targets[i].ignored)
      fail(node.targets[i].span, values[i].poison);
    assign(node.targets[i], values[i], node.print);
  }
}

void Lowerer::print_binding(const std::string& name, const Binding& binding) {
  if (binding.is_text() && !binding.is_known_text())
    return builder.print(binding.value, Display{name, DisplayForm::text});
  if (binding.is_text()) {
    Message message;
    message.format = "%s = %s\n";
    message.arguments = {name, binding.text};
    return builder.format(message, {});
  }
  if (binding.is_bytes()) fail(graph.locations[builder.location].span, std::string(bytes_remedy));
  if (binding.is_function()) {
    const Closure& closure = *binding.function;
    const std::string text = closure.anonymous ? ast::display_of(*closure.anonymous, sources) : "@" + closure.name;
    Message message;
    message.format = closure.anonymous ? "%s =\n\n%s\n\n" : "%s = %s\n";
    if (name.empty()) message.format = "%s%s\n";
    message.arguments = {name, text};
    return builder.format(std::move(message), {});
  }
  if (!binding.is_matrix()) throw LowerError{};
  show(binding.value, name);
}

void Lowerer::show(ValueId value, const std::string& name) {
  if (facts.diagonals.count(value) != 0) return builder.print(value, Display{name, DisplayForm::diagonal});
  if (facts.permutations.count(value) != 0) return builder.print(value, Display{name, DisplayForm::permutation});
  const auto range = facts.written_ranges.find(value);
  if (range == facts.written_ranges.end() || type(value).is_scalar()) return builder.print(value, Display{name});
  builder.print(value, Display{name, DisplayForm::range}, range->second);
}

}  // namespace lac::frontend
