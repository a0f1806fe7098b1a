// What is assigned to a part of a variable: s.x = v, c{k}(2) = v, b(i).pos = v. The variable is made again with the
// part in it; what it is made of otherwise stays the same values.
#include <algorithm>
#include <numeric>
#include <span>

#include "frontend/sema/program/lowerer.h"
#include "frontend/sema/stacks/stacks.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/integer_class.h"

namespace lac::frontend {
namespace {

using Kind = ast::Accessor::Kind;

std::string extended(const std::string& name, const ast::Accessor& step) {
  if (step.kind == Kind::field) return name + "." + step.field.text;
  return name + (step.kind == Kind::braces ? "{}" : "()");
}

/// What is 0x0 in a field or a cell takes the class of what is stored in it, unlike a variable.
Binding of_class_to_come(Emitter& e, const Binding& base, const Binding& value) {
  if (!base.is_integer() && !(base.is_matrix() && value.is_integer())) return base;
  const Type t = e.type(base.value);
  if (!t.rows.is(0) || !t.cols.is(0) || !(value.is_matrix() || value.is_integer())) return base;
  if (value.is_integer()) return value.with_value(e.builder.convert(base.value, Element::integer));
  return Binding::matrix(e.nothing());
}

}  // namespace

/// Whether `x` in x(i) = v, x{i} = v or x.f = v may begin as a struct or a cell array here.
bool Lowerer::is_nothing(const Binding* base) const {
  if (!base) return true;
  if (!base->is_matrix()) return false;
  const Type t = emit_.type(base->value);
  return t.rows.is(0) && t.cols.is(0);
}

Binding Lowerer::store(const Binding* base, const std::string& name, std::span<const ast::Accessor> path,
                       const Binding& value) {
  const ast::Accessor& step = path.front();
  const std::span<const ast::Accessor> rest = path.subspan(1);
  if (base && base->kind == Binding::Kind::poisoned) throw LowerError{};
  if (base && base->is_map()) {
    store_map(*base, path, value);
    return *base;
  }
  if (step.kind == Kind::field) return store_field(base, name, step, rest, value);
  if (step.kind == Kind::braces) return store_contents(base, name, step, rest, value);
  const bool of_struct = !rest.empty() && rest.front().kind == Kind::field;
  const bool of_aggregate = value.is_aggregate() && !value.is_array();
  const bool aggregate =
      (base && base->is_aggregate() && !base->is_array()) || (is_nothing(base) && (of_struct || of_aggregate));
  if (aggregate) return store_elements(base, name, step, rest, value);
  if (!rest.empty() && !base) emit_.fail(rest.front().span, "a chain of indices cannot be assigned to: index once");
  if (!rest.empty()) refuse_access(*base, rest.front());
  if (!base) return assign_index(new_base(name, value), name, step.args, value, step.span);
  return assign_index(of_class_to_come(emit_, *base, value), name, step.args, value, step.span);
}

Binding Lowerer::store_into(const Binding* item, const std::string& name, std::span<const ast::Accessor> rest,
                            const Binding& value) {
  return rest.empty() ? value : store(item, name, rest, value);
}

Binding Lowerer::store_field(const Binding* base, const std::string& name, const ast::Accessor& step,
                             std::span<const ast::Accessor> rest, const Binding& value) {
  const Binding record = is_nothing(base) ? empty_record() : *base;
  if (!record.is_record()) refuse_access(record, step);
  if (record.aggregate->stacked) {
    const ValueId count = emit_.builder.size(count_of(emit_, *record.aggregate));  // none where it was [] before
    emit_.refuse_unless(emit_.builder.map(ScalarOp::le, count, emit_.builder.constant(1, Element::integer)),
                        "'" + name + "' is not one struct, and which of them is meant is not said: write " + name +
                            "(1)" + extended("", step) + " = ...");
    std::vector<ast::Accessor> whole = {step};
    whole.insert(whole.end(), rest.begin(), rest.end());
    const ValueId first = emit_.builder.constant(1, Element::integer);
    if (auto made = store_in_stack(record, name, first, whole, value, step.span)) return *std::move(made);
    refuse_other_form(name, value, step.span);
  }
  if (record.aggregate->count() != 1)
    emit_.fail(step.span, "'" + name + "' is " + form_text(record) + ": say which element, as in " + name + "(1)" +
                              extended("", step) + " = ...");
  const auto named = field_of_run(record, step);
  if (named && can_be_chosen(*named->contents.aggregate)) {
    emit_.refuse_unless(emit_.builder.map(ScalarOp::gt, named->position, emit_.builder.constant(0, Element::integer)),
                        "a field that the run names must be there before: '" + name + "' is " + form_text(record));
    std::vector<std::int64_t> every(record.aggregate->slots.size());
    std::iota(every.begin(), every.end(), 0);
    const Binding stored = store_where_found(named->contents, every, named->position, [&](const Binding& one) {
      return cell_array(1, 1, {store_into(&items_of(one).front(), name + ".()", rest, value)});
    });
    Aggregate made = *record.aggregate;
    for (std::size_t k = 0; k < made.slots.size(); ++k) made.slots[k].items.front() = items_of(stored)[k];
    return Binding::of(Binding::Kind::record, std::move(made));
  }
  const std::string field = field_name(step);
  const Binding* old = item_of(record, field);
  return with_item(record, field, 0, store_into(old, name + "." + field, rest, value),
                   Binding::matrix(emit_.nothing()));
}

// How large an aggregate is once it has these elements; as Octave, what has no elements becomes a row.
std::pair<std::int64_t, std::int64_t> Lowerer::grown(const Aggregate& a, const std::string& name,
                                                     const std::vector<ElementSubscript>& subscripts, Span span) {
  const auto needed = [](const ElementSubscript& each) {
    return each.at.empty() ? 0 : *std::ranges::max_element(each.at) + 1;
  };
  if (subscripts.size() == 2) return {std::max(a.rows, needed(subscripts[0])), std::max(a.cols, needed(subscripts[1]))};
  const std::int64_t count = subscripts.empty() ? 1 : needed(subscripts[0]);
  if (count <= a.count()) return {a.rows, a.cols};
  if (a.count() == 0 || a.rows == 1) return {1, count};
  if (a.cols == 1) return {count, 1};
  stop(span, "Invalid resizing operation or ambiguous assignment to an out-of-bounds array element: '" + name +
                 "' is " + std::to_string(a.rows) + "x" + std::to_string(a.cols) + ", element " +
                 std::to_string(count) + " is assigned");
}

namespace {

std::vector<std::int64_t> linear(const std::vector<std::vector<std::int64_t>>& at, std::int64_t rows) {
  if (at.size() == 1) return at[0];
  std::vector<std::int64_t> all;
  for (const std::int64_t j : at[1])
    for (const std::int64_t i : at[0]) all.push_back(j * rows + i);
  return all;
}

}  // namespace

std::vector<std::int64_t> Lowerer::grow_to(Binding& base, const std::string& name,
                                           const std::vector<ElementSubscript>& subscripts, Span span) {
  const auto [rows, cols] = grown(*base.aggregate, name, subscripts, span);
  base = resized(base, rows, cols, Binding::matrix(emit_.nothing()));
  std::vector<std::vector<std::int64_t>> at;
  for (const ElementSubscript& each : subscripts) at.push_back(each.at);
  if (at.empty()) at.push_back({0});
  return linear(at, rows);
}

Binding Lowerer::store_contents(const Binding* base, const std::string& name, const ast::Accessor& step,
                                std::span<const ast::Accessor> rest, const Binding& value) {
  Binding cell = is_nothing(base) ? cell_array(0, 0, {}) : *base;
  if (!cell.is_cell()) refuse_access(cell, step);
  std::vector<ElementSubscript> subscripts = element_subscripts(*cell.aggregate, name, step.args, step.span);
  for (ElementSubscript& each : subscripts) take_single(each, name, step.span);
  const Binding nothing = Binding::matrix(emit_.nothing());
  const std::string part = extended(name, step);
  if (auto made = store_in_row(cell, name, subscripts, rest, value, step.span)) return *std::move(made);
  if (found_by_run(*cell.aggregate, subscripts, true)) {
    const ValueId position = element_position(*cell.aggregate, name, subscripts, step.span, true);
    return store_where_found(cell, candidates(*cell.aggregate, subscripts), position, [&](const Binding& one) {
      return with_item(one, "", 0, store_into(item_of(one, ""), part, rest, value), nothing);
    });
  }
  const std::vector<std::int64_t> elements = grow_to(cell, name, subscripts, step.span);
  if (elements.size() != 1)
    emit_.fail(step.span, "some elements undefined in argument list: one value is assigned to " +
                              std::to_string(elements.size()) + " cells");
  return with_item(cell, "", elements[0], store_into(item_of(cell, "", elements[0]), part, rest, value), nothing);
}

// The cell array with the value in a cell, where it is stacked or must be; nothing elsewhere.
std::optional<Binding> Lowerer::store_in_row(const Binding& cell, const std::string& name,
                                             const std::vector<ElementSubscript>& written,
                                             std::span<const ast::Accessor> rest, const Binding& value, Span span) {
  const std::vector<ElementSubscript> subscripts = along_vector(*cell.aggregate, written);
  const bool single = subscripts.size() == 1 && !subscripts[0].all && !subscripts[0].several;
  if (!cell.aggregate->stacked) {
    if (!single || !subscripts[0].position) return std::nullopt;
    const ValueId position = subscripts[0].position;
    const bool inside = emit_.facts.less_equal(emit_.graph, emit_.bounded_size(position), cell.aggregate->count());
    const bool chooses =
        inside && can_be_chosen(*cell.aggregate) && (!rest.empty() || of_one_kind(items_of(cell).front(), value));
    unroll_where_it_tells(position, chooses ? most_unrolled : most_unrolled_for_kinds);
    if (chooses) return std::nullopt;
  }
  if (!single) refuse_several(name, span);
  const std::optional<Binding> all = stacked(cell, Stacking::rows);
  auto made = all ? store_in_stack(*all, name, position_of(subscripts[0], name, span), rest, value, span) : all;
  if (!made && (cell.aggregate->stacked || cell.aggregate->count() == 0)) refuse_other_form(name, value, span);
  return made;
}

void Lowerer::refuse_other_form(const std::string& name, const Binding& value, Span span) {
  const std::string of_class =
      value.is_matrix() ? " of class " + std::string(class_name(emit_.type(value.value).element)) : "";
  emit_.fail(span, "the run finds which element of '" + name + "' this is, so all must be of one kind, and a " +
                       (value.is_function() ? "function handle" : form_text(value) + of_class) +
                       " is of another: matrices of one class, strings, or structs with fields that are so");
}

// The aggregate with the element at a position that the run finds made anew.
Binding Lowerer::store_where_found(const Binding& base, const std::vector<std::int64_t>& elements, ValueId position,
                                   const std::function<Binding(const Binding& one)>& made) {
  Binding result = base;
  for (const std::int64_t k : elements) {
    const ValueId here =
        emit_.builder.map(ScalarOp::eq, position, emit_.builder.constant(static_cast<double>(k + 1), Element::integer));
    const Binding old = selected(base, {k}, 1, 1);
    const Binding one = chosen(
        here, [&] { return made(old); }, [&] { return old; });
    result = with_element(result, k, one);
  }
  return result;
}

Binding Lowerer::with_element(Binding base, std::int64_t element, const Binding& one) {
  const Binding nothing = Binding::matrix(emit_.nothing());
  for (const Slot& slot : one.aggregate->slots) base = with_item(base, slot.name, element, slot.items.front(), nothing);
  for (const Slot& slot : base.aggregate->slots)
    if (!one.aggregate->find(slot.name)) base = with_item(base, slot.name, element, nothing, nothing);
  return base;
}

// c(i) = [], b(i) = []: what is left, in the order that it has.
Binding Lowerer::without_elements(const Binding& base, const std::string& name, const std::vector<ast::ExprPtr>& args,
                                  Span span) {
  const Aggregate& a = *base.aggregate;
  const std::vector<ElementSubscript> subscripts = element_subscripts(a, name, args, span);
  if (subscripts.size() == 1 && (a.stacked || subscripts[0].position || subscripts[0].several))
    if (const auto all = stacked(base, Stacking::rows)) {
      const bool one = !subscripts[0].several && (subscripts[0].position || subscripts[0].at.size() == 1);
      if (subscripts[0].all) return empty_row(emit_, row_form(emit_, *all));
      if (one) return without_element(*all, name, position_of(subscripts[0], name, span));
      return without_several(*all, name, subscripts[0], span);
    }
  if (auto left = table_without_row(base, name, subscripts, span)) return *std::move(left);
  for (const ElementSubscript& each : subscripts)
    if (each.several) refuse_several(name, span);
  if (found_by_run(a, subscripts, true))
    emit_.fail(span, "which of '" + name + "' is deleted must be known while the program is compiled");
  elements_at(base, name, subscripts, span);  // they are there
  const std::size_t axis = subscripts.size() == 2 && subscripts[0].all ? 1 : 0;
  if (subscripts.size() == 2 && !subscripts[1 - axis].all)
    emit_.fail(span, "a null assignment can only have one nonempty index");
  const bool by_rows = subscripts.size() == 2 && axis == 0, by_cols = subscripts.size() == 2 && axis == 1;
  const std::int64_t extent = by_rows ? a.rows : by_cols ? a.cols : a.count();
  std::vector<std::int64_t> left;
  for (std::int64_t k = 0; k < extent; ++k)
    if (std::ranges::find(subscripts[axis].at, k) == subscripts[axis].at.end()) left.push_back(k);
  const auto count = static_cast<std::int64_t>(left.size());
  if (!by_rows && !by_cols)
    return selected(base, left, a.cols == 1 && a.rows != 1 ? count : 1, a.cols == 1 && a.rows != 1 ? 1 : count);
  std::vector<std::int64_t> elements;
  for (std::int64_t j = 0; j < a.cols; ++j)
    for (std::int64_t i = 0; i < a.rows; ++i)
      if (std::ranges::find(left, by_rows ? i : j) != left.end()) elements.push_back(j * a.rows + i);
  return selected(base, elements, by_rows ? count : a.rows, by_rows ? a.cols : count);
}

namespace {

/// What has no fields yet takes any.
bool same_fields(const Aggregate& all, const Aggregate& one) {
  if (all.slots.empty()) return true;
  return all.slots.size() == one.slots.size() &&
         std::ranges::all_of(one.slots, [&](const Slot& slot) { return all.find(slot.name) != nullptr; });
}

}  // namespace

// Of the region that is assigned to, as Octave counts: one subscript gives a column.
std::string Lowerer::extents_of_region(const std::vector<ElementSubscript>& subscripts) {
  std::string text = std::to_string(subscripts[0].at.size());
  for (std::size_t axis = 1; axis < std::max<std::size_t>(subscripts.size(), 2); ++axis)
    text += "x" + std::to_string(axis < subscripts.size() ? subscripts[axis].at.size() : 1);
  return text;
}

// c(1:2) = d of cells whose number the run finds.
Binding Lowerer::store_cells(const Binding& all, const std::string& name, const std::vector<std::int64_t>& elements,
                             const Binding& value, Span span) {
  const auto wanted = static_cast<std::int64_t>(elements.size());
  const Size count = count_of(emit_, *value.aggregate);
  const std::string mismatch = "=: nonconformant arguments (op1 is %dx1, op2 is 1x%d)";
  emit_.require(emit_.equal_sizes(count, wanted), mismatch, {emit_.builder.size(wanted), emit_.builder.size(count)},
                "Octave:nonconformant-args");
  std::vector<Binding> items;
  for (std::int64_t k = 0; k < wanted; ++k)
    items.push_back(value.aggregate->stacked ? slot_item(emit_, value.aggregate->slots.front(), k)
                                             : items_of(value)[static_cast<std::size_t>(k)]);
  Binding made = all;
  for (std::size_t k = 0; k < items.size(); ++k) {
    const ValueId position = emit_.builder.constant(static_cast<double>(elements[k] + 1), Element::integer);
    const auto next = store_in_stack(made, name, position, {}, items[k], span);
    if (!next) refuse_other_form(name, items[k], span);
    made = *next;
  }
  return made;
}

// c(m) = {v} of positions, or a mask, that the run finds.
Binding Lowerer::store_in_several(const Binding& all, ValueId positions, const Binding& value, Span span) {
  const Binding values = value.is_cell() ? value : cell_array(1, 1, {value});
  return call_by_name("store_by_positions", {all, Binding::matrix(positions), values}, 1, span).front();
}

// b(i).f = v, b(i) = s, c(i) = {v}, c(i) = v.
Binding Lowerer::store_elements(const Binding* base, const std::string& name, const ast::Accessor& step,
                                std::span<const ast::Accessor> rest, const Binding& value) {
  Binding all = !is_nothing(base)                 ? *base
                : rest.empty() && value.is_cell() ? cell_array(0, 0, {})
                                                  : Binding::of(Binding::Kind::record, {0, 0, {}});
  std::vector<ElementSubscript> subscripts = element_subscripts(*all.aggregate, name, step.args, step.span);
  if (rest.empty() && value.is_aggregate() && !value.aggregate->stacked && !all.aggregate->stacked &&
      subscripts.size() == 2)
    for (std::size_t axis = 0; axis < 2; ++axis) {  // c(end + 1, :) = {...} of what has no columns yet
      ElementSubscript& each = subscripts[axis];
      if (!each.all || !each.at.empty()) continue;
      each.at.resize(static_cast<std::size_t>(axis == 0 ? value.aggregate->rows : value.aggregate->cols));
      std::iota(each.at.begin(), each.at.end(), 0);
    }
  const std::string part = extended(name, step);
  const auto element = [&](const Binding& one) {
    if (!rest.empty()) return store(&one, part, rest, value);
    if (all.is_cell() && !value.is_cell()) return cell_array(1, 1, {value});
    if (value.kind == all.kind && !value.aggregate->stacked && value.aggregate->count() != 1)
      stop(step.span, "=: nonconformant arguments (op1 is " + extents_of_region(subscripts) + ", op2 is " +
                          std::to_string(value.aggregate->rows) + "x" + std::to_string(value.aggregate->cols) + ")");
    if (value.kind != all.kind || value.aggregate->count() != 1)
      emit_.fail(step.span, "=: nonconformant arguments: '" + name + "' is " + form_text(all) +
                                (value.is_aggregate() ? ", the value " + form_text(value) : ""));
    return value;
  };
  if (all.is_cell() && rest.empty() && subscripts.size() == 1 && subscripts[0].several)
    return store_in_several(all, subscripts[0].several, value, step.span);
  if (all.is_record() && rest.empty() && value.is_record() && subscripts.size() == 1 && subscripts[0].several)
    return call_by_name("store_structs_by_positions", {all, Binding::matrix(subscripts[0].several), value}, 1,
                        step.span)
        .front();
  for (ElementSubscript& each : subscripts) {
    if (!rest.empty()) take_single(each, name, step.span);  // b(i).f = v: one struct is meant
    if (each.several) refuse_several(name, step.span);
  }
  if (rest.empty() && all.is_record() && value.is_record() && !same_fields(*all.aggregate, *value.aggregate))
    stop(step.span, "incompatible fields in struct assignment");
  if (all.is_record() && all.aggregate->stacked && subscripts.size() == 1 && subscripts[0].at.size() > 1) {
    for (const std::int64_t at : subscripts[0].at) {  // [b(2:3).x] = deal(v)
      const ValueId position = emit_.builder.constant(static_cast<double>(at + 1), Element::integer);
      auto made = store_in_stack(all, name, position, rest, value, step.span);
      if (!made) refuse_other_form(name, value, step.span);
      all = *std::move(made);
    }
    return all;
  }
  if (all.is_cell() && (all.aggregate->stacked || (subscripts.size() == 1 && subscripts[0].position))) {
    const bool one_cell = value.is_cell() && !value.aggregate->stacked && value.aggregate->count() == 1;
    if (value.is_cell() && !one_cell && all.aggregate->stacked && subscripts.size() == 1 && !subscripts[0].at.empty())
      return store_cells(all, name, subscripts[0].at, value, step.span);
    if (value.is_cell() && !one_cell) refuse_other_form(name, value, step.span);
    const Binding& item = one_cell ? items_of(value).front() : value;
    if (auto made = store_in_row(all, name, subscripts, rest, item, step.span)) return *std::move(made);
  }
  if (all.is_record() && subscripts.size() == 1 && (subscripts[0].position || all.aggregate->stacked)) {
    const ValueId position = position_of(subscripts[0], name, step.span);
    if (const auto columns = stacked(all, Stacking::columns))
      if (auto made = store_in_stack(*columns, name, position, rest, value, step.span)) return *std::move(made);
    unroll_where_it_tells(position, most_unrolled_for_kinds);
    if (const auto row = stacked(all, Stacking::rows))
      if (auto made = store_in_stack(*row, name, position, rest, value, step.span)) return *std::move(made);
    if (all.aggregate->stacked || all.aggregate->count() == 0) refuse_other_form(name, value, step.span);
  }
  if (found_by_run(*all.aggregate, subscripts, true)) {
    const ValueId position = element_position(*all.aggregate, name, subscripts, step.span, true);
    return store_where_found(all, candidates(*all.aggregate, subscripts), position, element);
  }
  const std::vector<std::int64_t> elements = grow_to(all, name, subscripts, step.span);
  const bool one_each = rest.empty() && value.kind == all.kind && value.aggregate->count() != 1 &&
                        value.aggregate->count() == static_cast<std::int64_t>(elements.size());
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const Binding made =
        one_each ? selected(value, {static_cast<std::int64_t>(k)}, 1, 1) : element(selected(all, {elements[k]}, 1, 1));
    all = with_element(all, elements[k], made);
  }
  return all;
}

}  // namespace lac::frontend
