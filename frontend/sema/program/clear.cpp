// Variables by their names: which there are, whether they have values, and those that lose theirs.
#include <algorithm>

#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/program/shared.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {
namespace {

// A variable that the loop at hand carries stays in it, without a value.
Binding emptied(Emitter& e, Binding binding, const std::string& name, Span span) {
  if (!binding.is_leaf())
    e.fail(span, "'" + name + "' is a " + (binding.is_aggregate() ? form_text(binding) : "function") +
                     ", which cannot be cleared in a loop: leave it as it is");
  if (binding.is_known_text()) binding = Binding::computed_text(codes(e, binding), binding.double_quoted);
  binding.defined = e.builder.constant(0, Element::logical);
  return binding;
}

}  // namespace

// The name of a global or persistent variable goes; of a global one the value too, where that is asked.
void Lowerer::clear_shared(const std::string& name, OfGlobals globals, Span span) {
  if (emit_.arms() > frame_->arms || !frame_->loops.empty())
    emit_.fail(span,
               "'" + name + "' is a global or persistent variable, which is cleared outside of loops and branches");
  for (const Activation* call = emit_.active ? emit_.active->outer : nullptr; call; call = call->outer)
    if (call->name == emit_.active->name)
      emit_.fail(span, "'" + name + "' is a global or persistent variable of calls of '" + call->name +
                           "' that are not over, which is cleared in the outermost alone");
  const std::string shared = frame_->shared.at(name);
  const bool value_goes = globals != OfGlobals::names && shared.starts_with("@@");
  put(frame_->env, shared, value_goes ? Binding::matrix(emit_.nothing()) : whole(frame_->env, name));
  frame_->shared.erase(name);
}

void Lowerer::forget(const std::set<std::string>& names) {
  for (const std::string& name : names) {
    put(frame_->env, name, {});  // its leaves, where it has some
    frame_->env.erase(name);
  }
}

void Lowerer::clear(const std::function<bool(const std::string&)>& selected, OfGlobals globals, Span span) {
  std::vector<std::string> names;
  frame_->env.for_each([&](const std::string& name, const Binding&) {
    const bool asked = globals != OfGlobals::alone || frame_->shared.count(name) != 0;
    if (!name.starts_with("#") && !is_shared(name) && !is_leaf(name) && asked && selected(name)) names.push_back(name);
  });
  for (const std::string& name : names) {
    if (frame_->shared.count(name) != 0) clear_shared(name, globals, span);
    if (frame_->loops.empty()) forget({name});
    else frame_->env[name] = emptied(emit_, frame_->env[name], name, span);
  }
}

std::vector<std::string> Lowerer::variable_names() const {
  std::vector<std::string> names;
  frame_->env.for_each([&](const std::string& name, const Binding&) {
    if (name.starts_with("#") || is_shared(name) || is_leaf(name)) return;
    if (whole(frame_->env, name).kind != Binding::Kind::poisoned) names.push_back(name);
  });
  std::ranges::sort(names);
  return names;
}

void Lowerer::set_variable(const std::string& name, const Binding& value, Span span) {
  if (frame_->shared.count(name) != 0)
    emit_.fail(span, "'" + name + "' is a global or persistent variable: assign it, as in s = load(...); " + name +
                         " = s." + name);
  assign_name(name, value);
}

ValueId Lowerer::has_value(const std::string& name) {
  const auto found = frame_->env.find(name);
  if (found != frame_->env.end() && found->second.defined) return found->second.defined;
  if (found == frame_->env.end() && frame_->assigned.count(name) != 0) missing_.insert(name);  // a trip before may have
  return emit_.builder.constant(found != frame_->env.end() ? 1 : 0, Element::logical);
}

}  // namespace lac::frontend
