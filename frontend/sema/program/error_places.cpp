// Where an error came from, as the field `stack` of an error that is caught tells: for each active function the place
// of its statement, as Octave counts. Only programs that read a field of this name have it.
#include <algorithm>
#include <filesystem>

#include "frontend/sema/names/names.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/values/aggregate.h"

namespace lac::frontend {
namespace {

constexpr std::string_view field = "stack";

bool reads_stack(const ast::Expr& expr) {
  const auto* node = std::get_if<ast::Field>(&expr.node);
  bool found = node && node->name.text == field;
  for_each_child(expr, [&](const ast::ExprPtr& child) { found = found || reads_stack(*child); });
  return found;
}

bool reads_stack(const ast::Block& block) {
  return std::ranges::any_of(block, [](const ast::Statement& statement) {
    bool found = false;
    for_each_expression(statement, [&](const ast::Expr& expr) { found = found || reads_stack(expr); });
    for_each_inner_block(statement, [&](const ast::Block& inner) { found = found || reads_stack(inner); });
    return found;
  });
}

/// Of an operation the place of its operator.
Span place_of(const ast::Expr& expr) {
  if (const auto* node = std::get_if<ast::Binary>(&expr.node)) return node->op_span;
  if (const auto* node = std::get_if<ast::Paren>(&expr.node)) return place_of(*node->inner);
  return expr.span;
}

}  // namespace

bool reads_stacks(const ast::Program& program) {
  return reads_stack(program.statements) ||
         std::ranges::any_of(program.functions, [](const ast::Function& each) { return reads_stack(each.body); });
}

void Lowerer::note_place(const ast::Expr& expr) { frame_->at = place_of(expr); }

// Those of conditions are noted where they are computed.
void Lowerer::note_place(const ast::Statement& statement) {
  frame_->at = statement.span;
  if (const auto* node = std::get_if<ast::Assign>(&statement.node)) frame_->at = node->op_span;
  if (const auto* node = std::get_if<ast::ExprStatement>(&statement.node)) note_place(*node->expr);
}

std::vector<Lowerer::ErrorPlace> Lowerer::places_of_calls() const {
  std::vector<ErrorPlace> places;
  for (auto frame = stack_.rbegin(); frame != stack_.rend(); ++frame) {
    const Span at = (*frame)->at;
    if (!at.valid()) continue;
    const std::string& file = emit_.sources.file(at.file).name;
    std::string name = (*frame)->name;
    if (name.empty()) name = file;
    if (const ast::Function* around = (*frame)->function ? nullptr : function_around(at))
      name = around->name.text + ">" + name;  // an anonymous function
    std::error_code ignored;
    const std::filesystem::path whole = std::filesystem::absolute(file, ignored);
    places.push_back({whole.string(), written_name(name), emit_.sources.begin(at)});
  }
  return places;
}

const ast::Function* Lowerer::function_around(Span at) const {
  for (const auto& [name, function] : functions_)
    if (function->span.file == at.file && function->span.begin <= at.begin && at.begin < function->span.end)
      return function;
  return nullptr;
}

// Of an error that is thrown again; none where the run finds which it was.
std::vector<Lowerer::ErrorPlace> Lowerer::places_in(const Binding& error) const {
  const Binding* stack = item_of(error, field);
  if (!stack || !stack->is_record() || stack->aggregate->stacked) return {};
  std::vector<ErrorPlace> places;
  for (std::int64_t k = 0; k < stack->aggregate->count(); ++k) {
    const Binding *file = item_of(*stack, "file", k), *name = item_of(*stack, "name", k);
    const Binding *line = item_of(*stack, "line", k), *column = item_of(*stack, "column", k);
    if (!file || !name || !line || !column || !file->is_known_text() || !name->is_known_text()) return {};
    if (!line->is_matrix() || !column->is_matrix()) return {};
    const auto at_line = emit_.constant_of(line->value), at_column = emit_.constant_of(column->value);
    if (!at_line || !at_column) return {};
    places.push_back(
        {file->text, name->text, {static_cast<std::uint32_t>(*at_line), static_cast<std::uint32_t>(*at_column)}});
  }
  return places;
}

Binding Lowerer::stack_of(const std::vector<ErrorPlace>& places) {
  Aggregate made{static_cast<std::int64_t>(places.size()), 1, {}};
  const auto add = [&](const std::string& name, const auto& value_of) {
    Slot slot{name, {}};
    for (const ErrorPlace& place : places) slot.items.push_back(value_of(place));
    made.slots.push_back(std::move(slot));
  };
  const auto number = [&](std::uint32_t value) {
    return Binding::matrix(emit_.builder.constant(static_cast<double>(value), Element::integer));
  };
  add("file", [](const ErrorPlace& place) { return Binding::string(place.file, true); });
  add("name", [](const ErrorPlace& place) { return Binding::string(place.name, true); });
  add("line", [&](const ErrorPlace& place) { return number(place.at.line); });
  add("column", [&](const ErrorPlace& place) { return number(place.at.column); });
  return Binding::of(Binding::Kind::record, std::move(made));
}

}  // namespace lac::frontend
