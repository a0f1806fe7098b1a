// Variables that lose their values, and whether they have one.
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

void Lowerer::clear(const std::function<bool(const std::string&)>& selected, Span span) {
  std::vector<std::string> names;
  frame_->env.for_each([&](const std::string& name, const Binding&) {
    if (!name.starts_with("#") && !is_shared(name) && !is_leaf(name) && selected(name)) names.push_back(name);
  });
  for (const std::string& name : names) {
    if (frame_->loops.empty()) {
      put(frame_->env, name, {});  // its leaves, where it has some
      frame_->env.erase(name);
    } else frame_->env[name] = emptied(emit_, frame_->env[name], name, span);
  }
}

ValueId Lowerer::has_value(const std::string& name) {
  const auto found = frame_->env.find(name);
  if (found != frame_->env.end() && found->second.defined) return found->second.defined;
  return emit_.builder.constant(found != frame_->env.end() ? 1 : 0, Element::logical);
}

}  // namespace lac::frontend
