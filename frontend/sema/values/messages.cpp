#include "frontend/sema/values/messages.h"

#include <cctype>
#include <map>

namespace lac::frontend {

std::string written(const Emitter& e, Span span) {
  std::string text(e.sources.text(span));
  if (const auto newline = text.find('\n'); newline != std::string::npos) text = text.substr(0, newline) + "...";
  return text.size() > 40 ? text.substr(0, 37) + "..." : text;
}

std::string shape_text(const Emitter& e, ValueId value) {
  const Type t = e.type(value);
  const auto now = [&](const Size& size) -> std::optional<std::int64_t> {  // what the session's variables make of it
    if (!e.options.session) return std::nullopt;
    bool known = true;
    const std::int64_t number = size.evaluate([&](SymbolId id) -> std::int64_t {
      const auto found = e.options.session->sizes.find(e.graph.symbol_name(id));
      known = known && found != e.options.session->sizes.end();
      return known ? found->second : 0;
    });
    return known ? std::optional(number) : std::nullopt;
  };
  const auto extent = [&](const Size& size) {
    if (const auto number = now(size)) return std::to_string(*number);
    const std::string text = e.graph.text(size);
    if (text.find('%') != std::string::npos) return std::string("?");
    return text.find(' ') == std::string::npos ? text : "(" + text + ")";
  };
  const bool numbers = (t.rows.is_constant() || now(t.rows)) && (t.cols.is_constant() || now(t.cols));
  return extent(t.rows) + (numbers ? "x" : " x ") + extent(t.cols);
}

namespace {

constexpr std::size_t most_notes = 3;

bool is_name(const std::string& text) {
  return !text.empty() &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string::npos;
}

// A variable's shape was settled where its value was made. What stands on the line of the error itself is plain to see.
void add_shape_note(const Emitter& e, std::vector<Note>& notes, const std::string& name, ValueId value, Span error) {
  if (!value || !is_name(name) || notes.size() == most_notes) return;
  const std::string shape = name + " is " + shape_text(e, value);
  const Op* made = e.graph.definition(value);
  while (made && (made->kind == OpKind::convert || made->kind == OpKind::transpose) && made->operands.size() == 1 &&
         e.graph.values[made->operands[0]].name == name)
    made = e.graph.definition(made->operands[0]);
  if (!made) return;
  if (made->kind == OpKind::parameter) {
    const Parameter& parameter = e.graph.parameters[attribute<ParameterIndex>(*made).index];
    notes.push_back({parameter.span, shape + " because it is declared here"});
    return;
  }
  if (!made->location) return;
  const Span place = e.graph.locations[made->location].span;
  if (!place.valid()) return;
  if (place.file == error.file && e.sources.begin(place).line == e.sources.begin(error).line) return;
  notes.push_back({place, shape + " because of this"});
}

}  // namespace

std::vector<Note> shape_notes(const Emitter& e, Span error) {
  std::vector<Note> notes;
  if (e.operands.whole != error || !e.operands.left.valid()) return notes;
  add_shape_note(e, notes, std::string(e.sources.text(e.operands.left)), e.operands.left_value, error);
  if (e.operands.left_value != e.operands.right_value)
    add_shape_note(e, notes, std::string(e.sources.text(e.operands.right)), e.operands.right_value, error);
  return notes;
}

std::vector<Note> shape_notes(const Emitter& e, Span error, ValueId a, ValueId b) {
  std::vector<Note> notes;
  add_shape_note(e, notes, e.graph.values[a].name, a, error);
  if (a != b) add_shape_note(e, notes, e.graph.values[b].name, b, error);
  return notes;
}

namespace {

/// What Octave calls an operator in an error.
std::string name_of_operation(const std::string& name) {
  static const std::map<std::string_view, std::string_view> names = {
      {".*", "product"},  {"./", "quotient"}, {"==", "mx_el_eq"}, {"!=", "mx_el_ne"}, {"<", "mx_el_lt"},
      {"<=", "mx_el_le"}, {">", "mx_el_gt"},  {">=", "mx_el_ge"}, {"&", "mx_el_and"}, {"|", "mx_el_or"},
  };
  if (const auto found = names.find(name); found != names.end()) return std::string(found->second);
  const bool is_function = std::isalpha(static_cast<unsigned char>(name.front())) != 0;
  return is_function ? name : "operator " + name;
}

std::string nonconformant_text(const Emitter& e, const std::string& name, const std::string& a, const std::string& b,
                               bool as_format) {
  const auto operand = [&](Span span, const char* fallback) {
    std::string text = span.valid() ? written(e, span) : std::string(fallback);
    for (std::size_t at = as_format ? text.find('%') : std::string::npos; at != std::string::npos;
         at = text.find('%', at + 2))
      text.insert(at, "%");
    return text;
  };
  const std::string shapes =
      operand(e.operands.left, "op1") + " is " + a + ", " + operand(e.operands.right, "op2") + " is " + b + ")";
  if (e.errors)  // what a program catches has Octave's words
    return name_of_operation(name) + ": nonconformant arguments (op1 is " + a + ", op2 is " + b + ")";
  const bool function = std::isalpha(static_cast<unsigned char>(name.front())) != 0;
  return function ? name + ": nonconformant arguments (" + shapes
                  : "nonconformant arguments (operator " + name + ": " + shapes;
}

}  // namespace

std::string nonconformant(const Emitter& e, const std::string& name, ValueId a, ValueId b) {
  return nonconformant_text(e, name, shape_text(e, a), shape_text(e, b), false);
}

// Shows rows and columns of both.
std::string nonconformant_format(const Emitter& e, const std::string& name) {
  return nonconformant_text(e, name, "%dx%d", "%dx%d", true);
}

}  // namespace lac::frontend
