// Where shapes come from, for the notes of messages.
#include "frontend/sema/program/lowerer.h"

namespace lac::frontend {
namespace {

constexpr std::size_t most_notes = 3;

bool is_name(const std::string& text) {
  return !text.empty() &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string::npos;
}

}  // namespace

// A variable's shape was settled where its value was made. What stands on the line of the error itself is plain to see.
void Lowerer::add_shape_note(std::vector<Note>& notes, const std::string& name, ValueId value, Span error) const {
  if (!value || !is_name(name) || notes.size() == most_notes) return;
  const std::string shape = name + " is " + shape_text(value);
  const Op* made = graph.definition(value);
  while (made && (made->kind == OpKind::convert || made->kind == OpKind::transpose) && made->operands.size() == 1 &&
         graph.values[made->operands[0]].name == name)
    made = graph.definition(made->operands[0]);
  if (!made) return;
  if (made->kind == OpKind::parameter) {
    const Parameter& parameter = graph.parameters[attribute<ParameterIndex>(*made).index];
    notes.push_back({parameter.span, shape + " because it is declared here"});
    return;
  }
  if (!made->location) return;
  const Span place = graph.locations[made->location].span;
  if (!place.valid()) return;
  if (place.file == error.file && sources.begin(place).line == sources.begin(error).line) return;
  notes.push_back({place, shape + " because of this"});
}

std::vector<Note> Lowerer::shape_notes(Span error) const {
  std::vector<Note> notes;
  if (operands_.whole != error || !operands_.left.valid()) return notes;
  add_shape_note(notes, std::string(sources.text(operands_.left)), operands_.left_value, error);
  if (operands_.left_value != operands_.right_value)
    add_shape_note(notes, std::string(sources.text(operands_.right)), operands_.right_value, error);
  return notes;
}

std::vector<Note> Lowerer::shape_notes(Span error, ValueId a, ValueId b) const {
  std::vector<Note> notes;
  add_shape_note(notes, graph.values[a].name, a, error);
  if (a != b) add_shape_note(notes, graph.values[b].name, b, error);
  return notes;
}

}  // namespace lac::frontend
