#include "frontend/sema/program/shared.h"

#include <algorithm>

#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/values/aggregate.h"

namespace lac::frontend {
namespace {

void for_each_declaration(const ast::Block& block, const std::function<void(const ast::Declaration&)>& visit) {
  for (const ast::Statement& statement : block) {
    if (const auto* node = std::get_if<ast::Declaration>(&statement.node)) visit(*node);
    for_each_inner_block(statement, [&](const ast::Block& inner) { for_each_declaration(inner, visit); });
  }
}

/// The shared variables of an environment, without their leaves.
std::vector<std::string> shared_in(const Environment& env) {
  std::vector<std::string> names;
  env.for_each([&](const std::string& name, const Binding&) {
    if (is_shared(name) && !is_leaf(name)) names.push_back(name);
  });
  return names;
}

bool is_of_call(const ast::Function& function, const std::string& name) {
  return std::ranges::any_of(function.params, [&](const ast::Parameter& each) { return each.name.text == name; }) ||
         std::ranges::any_of(function.outs, [&](const ast::Name& each) { return each.text == name; });
}

}  // namespace

void copy_shared(const Environment& from, Environment& to) {
  for (const std::string& name : shared_in(from)) put(to, name, whole(from, name));
}

// All of them exist from the beginning, as loops ask of what they carry. What the file says a global begins with counts
// first, as its declaration runs before those of functions.
void Lowerer::begin_shared(const std::string& function, const ast::Block& body) {
  for_each_declaration(body, [&](const ast::Declaration& node) {
    for (const ast::Declaration::Variable& variable : node.variables) {
      const std::string name = shared_name(node.is_global, function, variable.name.text);
      has_shared_ = true;
      if (!function.empty() || !node.is_global) assigned_shared_.insert(name);
      const auto found = frame_->env.find(name);
      const bool begun = found != frame_->env.end();
      if (begun && (!variable.value || begun_shared_.count(name) != 0)) continue;
      if (variable.value || function.empty()) begun_shared_.insert(name);
      try {
        emit_.at(variable.name.span);
        const Binding value = variable.value ? lower_expr(*variable.value) : Binding::matrix(emit_.nothing());
        put(frame_->env, name, value);
      } catch (const LowerError&) {
      }
    }
  });
}

void Lowerer::lower_declaration(const ast::Declaration& node, Span span) {
  const char* word = node.is_global ? "global" : "persistent";
  if (emit_.options.session)
    emit_.fail(span,
               std::string(word) + " variables are not kept between the lines of a session: write them in a file");
  if (emit_.arms() > frame_->arms || !frame_->loops.empty())
    emit_.fail(span, std::string(word) + " stands at the beginning of a function, outside of loops and branches");
  if (!node.is_global && !frame_->function) emit_.fail(span, "a persistent variable is one of a function");
  for (const ast::Declaration::Variable& variable : node.variables) {
    const std::string name = shared_name(node.is_global, frame_->name, variable.name.text);
    const std::string& local = variable.name.text;
    if (!node.is_global && frame_->function && is_of_call(*frame_->function, local))
      emit_.fail(variable.name.span, "can't make function parameter " + local + " " + word);
    if (frame_->env.count(local) != 0 && frame_->shared.count(local) == 0)
      emit_.fail(variable.name.span, "'" + local + "' has a value before it is declared " + word +
                                         ", which is not supported: declare it first, or use another name");
    if (frame_->env.count(name) == 0) begin_shared(frame_->name, {{span, node}});
    frame_->shared[variable.name.text] = name;
    put(frame_->env, variable.name.text, whole(frame_->env, name));
  }
}

// What the text has assigned to its copies.
void Lowerer::give_back(Frame& frame) {
  for (const auto& [local, name] : frame.shared)
    if (frame.env.count(local) != 0) put(frame.env, name, whole(frame.env, local));
}

void Lowerer::enter_with_shared(Frame& outer, Frame& inner) {
  if (!has_shared_) return;
  give_back(outer);
  copy_shared(outer.env, inner.env);
}

void Lowerer::leave_with_shared(Frame& inner, Frame& outer) {
  if (!has_shared_) return;
  give_back(inner);
  copy_shared(inner.env, outer.env);
  for (const auto& [local, name] : outer.shared) put(outer.env, local, whole(outer.env, name));
}

bool Lowerer::changed_shared(const Environment& before) const {
  if (!has_shared_) return false;
  return std::ranges::any_of(shared_in(frame_->env), [&](const std::string& name) {
    return before.count(name) == 0 || !whole(before, name).same_as(whole(frame_->env, name));
  });
}

// What a loop may change by the functions that it calls, with the copies that the text has.
std::set<std::string> Lowerer::shared_that_change() const {
  std::set<std::string> names;
  for (const std::string& name : changed_maps_)
    if (frame_->env.count(name) != 0) names.insert(name);
  for (const std::string& name : assigned_shared_)
    if (frame_->env.count(name) != 0) names.insert(name);
  for (const auto& [local, name] : frame_->shared) {
    if (names.count(name) == 0) continue;
    names.insert(local);
  }
  return names;
}

// Subscripts of what is assigned are computed behind the value, and before it in Octave: that differs where the value
// changes what they read, or they call functions of the program.
void Lowerer::require_order(const ast::LValue& target, const Environment& before) {
  if (!has_shared_ || !target.is_part()) return;
  std::set<std::string> names;
  for_each_subscript(target, [&](const ast::ExprPtr& subscript) { read_names(*subscript, names); });
  const bool reads = std::ranges::any_of(names, [&](const std::string& name) {
    return frame_->shared.count(name) != 0 || (frame_->env.count(name) == 0 && functions_.count(name) != 0);
  });
  if (reads) require_shared_unchanged(before, target.span, "the value of an assignment whose subscripts hang on it");
}

void Lowerer::require_shared_unchanged(const Environment& before, Span span, const std::string& where) {
  if (changed_shared(before))
    emit_.fail(span, where +
                         " calls a function that changes a global or persistent variable, which is not supported "
                         "here: write a loop, or a statement of its own");
}

}  // namespace lac::frontend
