// Lists of which the run finds how many values they have: b.f and c{:} of what is stacked. They stand between brackets
// and braces, and as the arguments of a few functions.
#include <algorithm>

#include "frontend/ast/print.h"
#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/stacks/stacks.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/nothing.h"
#include "ir/support/printf_format.h"

namespace lac::frontend {

// Whether a subscript in braces is ':' or a range, or a variable with several elements.
bool Lowerer::names_several(const ast::Expr& subscript) const {
  if (std::holds_alternative<ast::Colon>(subscript.node) || std::holds_alternative<ast::Range>(subscript.node))
    return true;
  const auto* identifier = std::get_if<ast::Identifier>(&subscript.node);
  const auto found = identifier ? frame_->env.find(identifier->name) : frame_->env.end();
  return found != frame_->env.end() && found->second.is_matrix() && !emit_.type(found->second.value).is_scalar();
}

// What b.f, c{:} and c{2:end} list where the run finds how many elements there are; nothing elsewhere.
std::optional<Lowerer::StackedList> Lowerer::stacked_list(const ast::Expr& item) {
  const auto access = ast::access_of(item);
  if (!access || access->accessor.kind == ast::Accessor::Kind::parens) return std::nullopt;
  const bool contents = access->accessor.kind == ast::Accessor::Kind::braces;
  const auto& args = access->accessor.args;
  if (contents && (args.size() != 1 || !names_several(*args.front()))) return std::nullopt;
  const auto target = ast::target_of(**access->base);
  if (!target || frame_->env.count(target->name.text) == 0) return std::nullopt;
  if (!whole(frame_->env, target->name.text).is_aggregate()) return std::nullopt;
  const Binding base = target->is_part() ? lower_expr(**access->base) : lookup(target->name.text, target->span);
  if (!base.is_aggregate() || base.is_cell() != contents) return std::nullopt;
  const bool all = !contents || std::holds_alternative<ast::Colon>(args.front()->node);
  const Emitter::Snapshot before = emit_.save();
  const Binding listed = all ? base : call(**access->base, args, 1, item.span).front();
  if (!listed.aggregate->stacked) {  // known elements of known ones
    emit_.restore(before);
    return std::nullopt;
  }
  const Slot* slot = listed.aggregate->find(contents ? "" : field_name(access->accessor));
  if (!slot) stop(item.span, no_member(field_name(access->accessor)));
  return StackedList{*slot, source_of(**access->base)};
}

// [b.f] of structs that are stacked is one matrix, of all others a list.
std::vector<Binding> Lowerer::lower_item(const ast::Expr& item) {
  if (const auto list = stacked_list(item)) return {joined_stack(*list, item.span)};
  return lower_values(item);
}

// {b.f}, {c{:}}: a row, also of a column.
Binding Lowerer::cells_of(const StackedList& list) {
  Aggregate made{1, 1, {list.slot}, true};
  made.slots.front().name.clear();
  const Binding cells = Binding::of(Binding::Kind::cell, std::move(made));
  note_nothing(emit_, cells);
  return cells;
}

// Structs that had fields of their own as the elements of an array, which have the same.
Binding Lowerer::with_shared_fields(const Binding& structs) {
  Aggregate made = *structs.aggregate;
  const Size count = count_of(emit_, made);
  for (Slot& slot : made.slots) {
    if (!slot.optional) continue;
    const Size have = row_count(emit_, slot.stack);
    const ValueId all = emit_.equal_sizes(have, count), none = emit_.equal_sizes(have, 0);
    emit_.require(emit_.builder.map(ScalarOp::logical_or, all, none),
                  "cat: field names mismatch in concatenating structs", {});
    emit_.refuse_unless(all, "the run finds that none of the structs that are joined here has the field '" + slot.name +
                                 "', which others like them have: give it to all, or to none");
    const std::string name = slot.name;
    slot = slot.stack.aggregate->slots.front();
    slot.name = name;
  }
  return Binding::of(Binding::Kind::record, std::move(made));
}

// [b.f], [c{:}]: what the elements hold side by side.
Binding Lowerer::joined_stack(const StackedList& list, Span span) {
  emit_.at(span);
  const Slot& slot = list.slot;
  if (slot.stack.is_record() && slot.stack.aggregate->tuple != 0) refuse_several(list.name, span);
  if (slot.stack.is_record()) return with_shared_fields(slot.stack);
  if (slot.stack.is_aggregate()) return slot.stack;
  Binding stack = checked(slot.stack, list.name);
  const auto reshaped = [&](const Size& rows, const Size& cols) {
    const auto change = [&](ValueId part) { return emit_.builder.reshape(part, rows, cols); };
    if (stack.is_complex()) return complex_binding(emit_, each_part(parts_of(emit_, stack), change));
    return stack.with_value(change(stack.value));
  };
  const auto noted = [&](const Binding& row) {
    if (row.is_matrix()) note_nothing(emit_, row.value);
    return row;
  };
  if (!slot.ragged)
    return noted(slot.item_cols == 1 ? stack
                                     : reshaped(slot.item_rows, row_count(emit_, stack) * Size(slot.item_cols)));
  const auto size_of = [&](const char* function) {
    const ValueId size = call_by_name(function, {slot.places}, 1, span).front().value;
    return emit_.max0(emit_.bounded_size(emit_.builder.convert(size, Element::integer)));
  };
  const Size rows = size_of("rows_by_places");
  return noted(reshaped(rows, size_of("columns_by_places")));
}

namespace {

bool takes_one(const Binding& format) {
  const auto parts = parse_format(format.text);
  return parts && std::ranges::count_if(*parts, [](const FormatPart& part) { return !part.is_literal(); }) == 1;
}

}  // namespace

// printf("%d ", c{:}): all numbers that the list holds are arguments of the template. Strings go through it one by one,
// where it takes one and stands alone before them.
std::optional<std::vector<Binding>> Lowerer::call_with_list(const std::string& name,
                                                            const std::vector<ast::ExprPtr>& args, int nargout,
                                                            Span span) {
  static constexpr std::string_view takers[] = {"printf", "fprintf", "sprintf", "horzcat", "vertcat", "char"};
  if (args.empty() || std::ranges::find(takers, name) == std::end(takers) || defines(name)) return std::nullopt;
  const auto list = stacked_list(*args.back());
  if (!list) return std::nullopt;
  std::vector<Binding> values;
  for (std::size_t i = 0; i + 1 < args.size(); ++i) values.push_back(lower_expr(*args[i]));
  emit_.at(span);
  if (name == "char" && !values.empty()) refuse_several(list->name, args.back()->span);
  if (name == "char") return call_by_name(name, {cells_of(*list)}, 1, span);
  if (name == "horzcat" && values.empty()) return std::vector{joined_stack(*list, span)};
  if (name == "vertcat" && values.empty()) return call_by_name("vertcat_by_loop", {cells_of(*list)}, 1, span);
  const Binding& stack = list->slot.stack;
  if (name.ends_with("cat") || stack.is_aggregate()) refuse_several(list->name, args.back()->span);
  if (!stack.is_text()) {
    values.push_back(checked(stack, list->name).numbers());
    return call_by_name(name, std::move(values), nargout, span);
  }
  const auto is_format = [](const Binding& value) { return value.is_known_text(); };
  const auto format = std::ranges::find_if(values, is_format);
  if (format == values.end() || format + 1 != values.end() || !takes_one(*format))
    emit_.fail(args.back()->span, "the run finds how many strings '" + list->name +
                                      "' lists: they go through a template that has one conversion, as in " + name +
                                      "(\"%s\\n\", " + list->name + "{:}); write a loop over them for another");
  const Binding text = call_by_name("sprintf_by_loop", {*format, cells_of(*list)}, 1, span).front();
  if (name == "sprintf") return std::vector{text};
  *format = Binding::string("%s", true);
  values.push_back(text);
  return call_by_name(name, std::move(values), nargout, span);
}

}  // namespace lac::frontend
