// What `lac check` shows: the variables of a scope with their types, in words.
#include <algorithm>

#include "frontend/sema/program/lowerer.h"

namespace lac::frontend {
namespace {

constexpr const char* element_words[] = {"logical", "integer", "single", "real"};

}  // namespace

// A runtime size by the name of the variable that holds it, "?" where none does; what it is at most goes to `bounds`.
std::string Lowerer::readable(const Size& size, std::string& bounds) {
  return to_string(size, [&](SymbolId id) {
    const SizeSymbol& symbol = graph.symbols[id];
    if (symbol.origin != SymbolOrigin::value) return symbol.name;
    const std::string& variable = graph.values[symbol.value].name;
    const std::string name = variable.empty() ? "?" : variable;
    if (const auto bound = facts.upper.find(id); bound != facts.upper.end()) {
      std::string inner;
      const std::string text = readable(bound->second, inner);
      const std::string line = name + " <= " + text;
      if (inner.empty() && bounds.find(line) == std::string::npos) bounds += (bounds.empty() ? "" : ", ") + line;
    }
    return name;
  });
}

std::string Lowerer::readable_shape(const Type& t) {
  if (t.rows.is(1) && t.cols.is(1)) return "scalar";
  std::string bounds;
  std::string text = readable(t.rows, bounds) + " x ";
  text += readable(t.cols, bounds);
  return bounds.empty() ? text : text + " (" + bounds + ")";
}

VariableInfo Lowerer::description(const Binding& binding) {
  VariableInfo info;
  if (binding.is_text()) info.type = info.element = "string";
  if (binding.is_function()) {
    info.type = "function handle";
    info.element = "function";
  }
  if (!binding.is_matrix()) return info;
  const Type& t = type(binding.value);
  info.type = graph.text(t);
  info.element = element_words[static_cast<int>(t.element)];
  info.storage = name(t.storage);
  info.shape = readable_shape(t);
  for (const PropertyName& entry : property_names())
    if (t.properties.has(entry.property))
      info.properties += (info.properties.empty() ? "" : " ") + std::string(entry.name);
  return info;
}

std::string Lowerer::specialisation(const std::string& function, const std::vector<Binding>& args) {
  std::string text;
  for (const Binding& arg : args) {
    const VariableInfo info = description(arg);
    text += text.empty() ? "" : ", ";
    text += info.shape.empty() ? info.element : info.element == "real" ? info.shape : info.element + " " + info.shape;
  }
  return function + "(" + text + ")";
}

void Lowerer::describe(const std::string& scope) {
  std::vector<VariableInfo> variables;
  frame->env.for_each([&](const std::string& name, const Binding& binding) {
    if (name.starts_with("#")) return;
    VariableInfo info = description(binding);
    if (info.type.empty()) return;
    info.scope = scope;
    info.name = name;
    if (const auto found = frame->first_assignment.find(name); found != frame->first_assignment.end())
      info.span = found->second;
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
  if (!options.on_variable) return;
  const auto found = frame->env.find(name);
  if (found == frame->env.end()) return;
  VariableInfo info = description(found->second);
  if (info.type.empty()) return;
  info.scope = frame->scope;
  info.name = name;
  if (const auto first = frame->first_assignment.find(name); first != frame->first_assignment.end())
    info.span = first->second;
  span.end = span.begin + static_cast<std::uint32_t>(name.size());
  options.on_variable(span, info);
}

}  // namespace lac::frontend
