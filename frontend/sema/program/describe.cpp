#include "frontend/sema/program/describe.h"

#include <algorithm>

#include "frontend/sema/integers/integers.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/program/shared.h"
#include "frontend/sema/values/aggregate.h"

namespace lac::frontend {
namespace {

constexpr const char* element_words[] = {"logical", "integer", "single", "real"};

// A runtime size by the name of the variable that holds it, "?" where none does; what it is at most goes to `bounds`.
std::string readable(const Emitter& e, const Size& size, std::string& bounds) {
  return to_string(size, [&](SymbolId id) {
    const SizeSymbol& symbol = e.graph.symbols[id];
    if (symbol.origin != SymbolOrigin::value) return symbol.name;
    const std::string& variable = e.graph.values[symbol.value].name;
    const std::string name = variable.empty() ? "?" : variable;
    if (const Size* bound = e.facts.upper_bound(id)) {
      std::string inner;
      const std::string text = readable(e, *bound, inner);
      const std::string line = name + " <= " + text;
      if (inner.empty() && bounds.find(line) == std::string::npos) bounds += (bounds.empty() ? "" : ", ") + line;
    }
    return name;
  });
}

std::string readable_shape(const Emitter& e, const Type& t) {
  if (t.rows.is(1) && t.cols.is(1)) return "scalar";
  std::string bounds;
  std::string text = readable(e, t.rows, bounds) + " x ";
  text += readable(e, t.cols, bounds);
  return bounds.empty() ? text : text + " (" + bounds + ")";
}

// What no one has written, as in the loop that a recursion becomes.
bool is_written(const Emitter& e, const std::string& name, Span span) {
  span.end = span.begin + static_cast<std::uint32_t>(name.size());
  return e.sources.text(span) == name;
}

}  // namespace

VariableInfo description(const Emitter& e, const Binding& binding) {
  VariableInfo info;
  if (binding.is_text()) info.type = info.element = "string";
  if (binding.is_function()) {
    info.type = "function handle";
    info.element = "function";
  }
  if (binding.is_map()) info.type = info.element = "containers.Map";
  if (!binding.is_matrix() && !binding.is_integer()) return info;
  const Type t = e.type(binding.value);
  info.type = e.graph.text(t);
  info.element = binding.is_integer() ? std::string(frontend::info(binding.integer_class).name)
                                      : element_words[static_cast<int>(t.element)];
  info.storage = name(t.storage);
  info.shape = readable_shape(e, t);
  for (const PropertyName& entry : property_names())
    if (t.properties.has(entry.property))
      info.properties += (info.properties.empty() ? "" : " ") + std::string(entry.name);
  return info;
}

std::string specialisation(const Emitter& e, const std::string& function, const std::vector<Binding>& args) {
  std::string text;
  for (const Binding& arg : args) {
    const VariableInfo info = description(e, arg);
    text += text.empty() ? "" : ", ";
    text += info.shape.empty() ? info.element : info.element == "real" ? info.shape : info.element + " " + info.shape;
  }
  return function + "(" + text + ")";
}

void Lowerer::describe(const std::string& scope) {
  std::vector<VariableInfo> variables;
  frame_->env.for_each([&](const std::string& name, const Binding& binding) {
    if (name.starts_with("#") || is_shared(name) || (is_leaf(name) && is_variant(root_of(name)))) return;
    VariableInfo info = description(emit_, binding);
    if (info.type.empty()) return;
    info.scope = scope;
    info.name = name;
    if (const auto found = frame_->first_assignment.find(name); found != frame_->first_assignment.end()) {
      if (frame_->machine && !is_written(emit_, name, found->second)) return;
      info.span = found->second;
    }
    variables.push_back(std::move(info));
  });
  described_.insert_or_assign(scope, {++described_scopes_, std::move(variables)});
}

// The file comes first, then functions in the order in which they were last described.
std::vector<VariableInfo> Lowerer::variables() const {
  std::map<std::size_t, const std::vector<VariableInfo>*> scopes;
  described_.for_each([&](const std::string& scope, const auto& described) {
    scopes[scope.empty() ? 0 : described.first] = &described.second;
  });
  std::vector<VariableInfo> all;
  for (const auto& [order, described] : scopes) all.insert(all.end(), described->begin(), described->end());
  return all;
}

void Lowerer::mention(const std::string& name, Span span) {
  if (!emit_.options.on_variable || (frame_->machine && !is_written(emit_, name, span))) return;
  const auto found = frame_->env.find(name);
  if (found == frame_->env.end()) return;
  VariableInfo info = description(emit_, found->second);
  if (info.type.empty()) return;
  info.scope = frame_->scope;
  info.name = name;
  if (const auto first = frame_->first_assignment.find(name); first != frame_->first_assignment.end())
    info.span = first->second;
  span.end = span.begin + static_cast<std::uint32_t>(name.size());
  emit_.options.on_variable(span, info);
}

}  // namespace lac::frontend
