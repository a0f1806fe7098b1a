#include "frontend/sema/stacks/stacks.h"

#include <algorithm>

#include "frontend/sema/complex/complex.h"
#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {
namespace {

using Kind = Binding::Kind;

/// The lines of `places`.
enum Line : std::int64_t { line_rows, line_cols, line_start, line_given, lines };

ValueId integer(Emitter& e, const Size& size) { return e.builder.size(size); }

/// A leaf or both parts of a complex value with `change` made to each.
Binding each_leaf(Emitter& e, const Binding& row, const std::function<ValueId(ValueId)>& change) {
  if (row.is_complex()) return complex_binding(e, each_part(parts_of(e, row), change));
  return row.with_value(change(row.value));
}

ValueId first_leaf(Emitter& e, const Binding& row) { return row.is_complex() ? parts_of(e, row).re : row.value; }

ValueId columns(Emitter& e, ValueId value, const Size& first, const Size& count) {
  const Type t = e.type(value);
  if (first.is(0) && count == t.cols) return value;
  return e.builder.index(value, {{{SubscriptKind::all, 0, 1, t.rows}, {SubscriptKind::range, first, 1, count}}}, {},
                         t.rows, count);
}

ValueId beside(Emitter& e, const std::vector<ValueId>& parts) {
  std::vector<ValueId> some;
  for (const ValueId part : parts)
    if (!e.type(part).cols.is(0)) some.push_back(part);
  if (some.empty()) return parts.front();
  return some.size() == 1 ? some.front() : concatenate(e, some, Axis::cols, e.place());
}

/// `more` behind `base`, in the memory of `base` where that may grow.
ValueId appended(Emitter& e, ValueId base, ValueId more) {
  const Type t = e.type(base), m = e.type(more);
  if (t.cols.is(0)) return more;
  if (m.cols.is(0)) return base;
  const Element element = join(t.element, m.element);
  const ValueId grown = e.builder.resize(e.builder.convert(base, element), t.rows, t.cols + m.cols);
  const Subscripts there{{{SubscriptKind::all, 0, 1, t.rows}, {SubscriptKind::range, t.cols, 1, m.cols}}};
  return e.builder.update(grown, there, {}, e.builder.convert(more, element));
}

ValueId filled(Emitter& e, std::int64_t number, const Size& rows, const Size& cols) {
  return e.builder.fill(e.builder.constant(static_cast<double>(number), Element::integer), rows, cols);
}

/// Where an item lies in the row of a ragged slot.
struct Extent {
  Size rows, cols, start;
  ValueId given = {};  ///< 1 or 0, line_given
  Size count() const { return rows * cols; }
};

/// A column of `places`.
ValueId place_of(Emitter& e, const Extent& extent) {
  return e.builder.concat({integer(e, extent.rows), integer(e, extent.cols), integer(e, extent.start), extent.given},
                          Axis::rows);
}

/// A number that comes from `places`, which has none below 0.
Size place_size(Emitter& e, ValueId number) {
  const Size size = e.bounded_size(number);
  if (const auto symbol = size.as_symbol())
    e.graph.symbols[*symbol].lower = std::max<std::int64_t>(e.graph.symbols[*symbol].lower, 0);
  return size;
}

ValueId number_at(Emitter& e, ValueId places, Line line, const Size& at) {
  return e.builder.index(places, {{{SubscriptKind::range, line, 1, 1}, {SubscriptKind::range, at, 1, 1}}}, {}, 1, 1);
}

Size read(Emitter& e, ValueId places, Line line, const Size& at) {
  return place_size(e, number_at(e, places, line, at));
}

/// One line of the places.
ValueId places_line(Emitter& e, ValueId places, Line line) {
  const Size count = e.type(places).cols;
  return e.builder.index(places, {{{SubscriptKind::range, line, 1, 1}, {SubscriptKind::all, 0, 1, count}}}, {}, 1,
                         count);
}

/// The places with all of them given or not.
ValueId with_given(Emitter& e, ValueId places, std::int64_t given) {
  const Size count = e.type(places).cols;
  const Subscripts line{
      {{SubscriptKind::range, Size(std::int64_t{line_given}), 1, 1}, {SubscriptKind::all, 0, 1, count}}};
  return e.builder.update(places, line, {}, filled(e, given, 1, count));
}

/// The places with all starts moved.
ValueId moved(Emitter& e, ValueId places, const Size& by) {
  const Type t = e.type(places);
  if (by.is(0) || t.cols.is(0)) return places;
  const ValueId line = e.builder.iota(Axis::rows, lines, t.cols);
  const ValueId is_start =
      e.builder.convert(e.builder.map(ScalarOp::eq, line, integer(e, std::int64_t{line_start})), Element::integer);
  return e.builder.map(ScalarOp::add, places, e.builder.map(ScalarOp::mul, is_start, integer(e, by)));
}

/// The places with `count` starts moved, from the one at `first` on: the others are left where they are.
ValueId with_starts_moved(Emitter& e, ValueId places, const Size& first, const Size& count, const Size& by) {
  if (by.is(0) || count.is(0)) return places;
  const Subscripts starts{{{SubscriptKind::range, Size(line_start), 1, 1}, {SubscriptKind::range, first, 1, count}}};
  const ValueId before = e.builder.index(places, starts, {}, 1, count);
  return e.builder.update(places, starts, {}, e.builder.map(ScalarOp::add, before, integer(e, by)));
}

Extent extent_at(Emitter& e, const Slot& slot, const Size& at, ValueId there = {}) {
  const ValueId places = slot.places.value;
  const auto number = [&](Line of) {
    const auto read = [&] { return number_at(e, places, of, at); };
    return there ? branch_value(e, there, read, [&] { return integer(e, std::int64_t{0}); }) : read();
  };
  const auto line = [&](Line of) { return place_size(e, number(of)); };
  return {line(line_rows), line(line_cols), line(line_start), number(line_given)};
}

/// The content of an optional field, which lies in a cell.
SlotForm content_of(const SlotForm& form) {
  SlotForm content = form;
  content.optional = content.vacant = false;
  content.name.clear();
  return content;
}

/// The cells that an optional field lies in.
RowForm cells_of(const SlotForm& form) {
  RowForm cells;
  cells.kind = Kind::cell;
  cells.slots.push_back(content_of(form));
  return cells;
}

/// Whether the item is of the class of the slot, 1 or 0.
ValueId given_of(Emitter& e, const SlotForm& form, const Binding& item) {
  if (item.given) return e.builder.convert(item.given, Element::integer);
  const bool nothing = item.is_matrix() && e.type(item.value).rows.is(0) && e.type(item.value).cols.is(0);
  const bool of_doubles = nothing && is_of_doubles(row_form(e, item));
  return integer(e, std::int64_t{form.gaps && of_doubles ? 0 : 1});
}

/// A value as the row of its elements, of this form.
Binding elements_of_item(Emitter& e, const Binding& value, const RowForm& form, AggregateExtents& extents) {
  if (value.is_leaf() || value.is_complex()) {
    const Binding leaf =
        value.is_known_text() ? Binding::computed_text(characters(e, value), value.double_quoted) : value;
    const Type t = e.type(first_leaf(e, leaf));
    const bool may_vanish = !value.is_known_text() && may_be_nothing(e, value);
    extents = {may_vanish ? e.chosen(e.equal_sizes(t.count(), 0), 0, t.rows) : t.rows, t.cols};
    return row_like(e, each_leaf(e, leaf, [&](ValueId part) { return e.builder.reshape(part, 1, t.count()); }), form);
  }
  if (form.tuple != 0 && value.is_cell()) {
    extents = {1, 1};
    return row_of(e, record_of_tuple(value), form);
  }
  extents = extents_of(e, *value.aggregate);
  return value.aggregate->stacked ? row_like(e, value, form) : row_of(e, value, form);
}

Binding with_slots(const Binding& row, const std::function<Slot(const Slot&)>& change) {
  Aggregate made = *row.aggregate;
  for (Slot& slot : made.slots) slot = change(slot);
  return Binding::of(row.kind, std::move(made));
}

Binding row_without(Emitter& e, const Binding& row, const Size& first, const Size& count) {
  const Size end = first + count;
  return row_joined(e, row_slice(e, row, 0, first), row_slice(e, row, end, row_count(e, row) - end));
}

/// The rows side by side.
Binding rows_joined(Emitter& e, const std::vector<Binding>& rows) {
  if (rows.front().is_aggregate()) {
    Binding all = rows.front();
    for (std::size_t i = 1; i < rows.size(); ++i) all = row_joined(e, all, rows[i]);
    return all;
  }
  const auto side_by_side = [&](const std::function<ValueId(const Binding&)>& part) {
    std::vector<ValueId> parts;
    for (const Binding& row : rows) parts.push_back(part(row));
    return beside(e, parts);
  };
  if (!rows.front().is_complex())
    return rows.front().with_value(side_by_side([](const Binding& row) { return row.value; }));
  return complex_binding(e, {side_by_side([&](const Binding& row) { return parts_of(e, row).re; }),
                             side_by_side([&](const Binding& row) { return imaginary_part(e, parts_of(e, row)); })});
}

ValueId places_of(Emitter& e, const std::vector<Extent>& extents) {
  std::vector<double> numbers;
  std::vector<ValueId> columns;
  for (const Extent& each : extents) {
    for (const Size& size : {each.rows, each.cols, each.start})
      if (size.is_constant()) numbers.push_back(static_cast<double>(size.constant()));
    if (const auto given = e.constant_of(each.given)) numbers.push_back(*given);
  }
  if (numbers.size() == lines * extents.size())
    return e.builder.table(std::move(numbers), Element::integer, lines, static_cast<std::int64_t>(extents.size()));
  for (const Extent& each : extents) columns.push_back(place_of(e, each));
  return beside(e, columns);
}

/// With `inserted` in the place of `count` elements. Where as many go in as come out, they are stored in place.
Binding row_replaced(Emitter& e, const Binding& row, const Size& first, const Size& count, const Binding& inserted) {
  const Size more = row_count(e, inserted);
  if (!row.is_leaf() || more.is(0)) {
    const Size end = first + count;
    const Binding head = row_joined(e, row_slice(e, row, 0, first), inserted);
    return row_joined(e, head, row_slice(e, row, end, row_count(e, row) - end));
  }
  const ValueId base = row.value;
  const Type t = e.type(base);
  const Element element = join(t.element, e.type(inserted.value).element);
  const auto in_place = [&] {
    const Subscripts here{{{SubscriptKind::all, 0, 1, t.rows}, {SubscriptKind::range, first, 1, more}}};
    return e.builder.update(e.builder.convert(base, element), here, {}, e.builder.convert(inserted.value, element));
  };
  const auto moved_up = [&] {
    const Size end = first + count;
    return e.builder.convert(
        beside(e, {columns(e, base, 0, first), inserted.value, columns(e, base, end, t.cols - end)}), element);
  };
  return row.with_value(branch_value(e, e.equal_sizes(count, more), in_place, moved_up));
}

/// A fixed slot as one whose elements have extents of their own.
Slot ragged(Emitter& e, const Slot& slot) {
  if (slot.ragged) return slot;
  Slot made = slot;
  const Size count = row_count(e, slot.stack);
  const std::int64_t each = slot.item_rows * slot.item_cols;
  if (!slot.stack.is_aggregate())
    made.stack = each_leaf(e, slot.stack, [&](ValueId part) { return e.builder.reshape(part, 1, count * Size(each)); });
  const ValueId starts = e.builder.map(ScalarOp::mul, e.builder.iota(Axis::cols, 1, count), integer(e, each));
  made.places = Binding::matrix(e.builder.concat(
      {filled(e, slot.item_rows, 1, count), filled(e, slot.item_cols, 1, count), starts, filled(e, 1, 1, count)},
      Axis::rows));
  made.ragged = true;
  made.item_rows = made.item_cols = 1;
  return made;
}

}  // namespace

Size row_count(Emitter& e, const Binding& row) {
  if (row.kind == Kind::poisoned) throw LowerError{};
  return row.is_aggregate() ? count_of(e, *row.aggregate) : e.type(first_leaf(e, row)).cols;
}

namespace {

Binding empty_leaf(Emitter& e, const RowForm& form, std::int64_t height) {
  const auto none = [&](Element element) { return e.builder.fill(e.builder.constant(0, element), height, 0); };
  switch (form.kind) {
    case Kind::complex: return complex_binding(e, {none(e.graph.precision), none(e.graph.precision)});
    case Kind::text: return Binding::computed_text(none(Element::integer), false);
    case Kind::integer: return Binding::integer(form.integer_class, none(Element::integer));
    default: return Binding::matrix(none(form.element));
  }
}

Slot empty_slot(Emitter& e, const SlotForm& form);

Binding empty_row(Emitter& e, const RowForm& form, std::int64_t height) {
  if (form.kind != Kind::record && form.kind != Kind::cell) return empty_leaf(e, form, height);
  Aggregate made;
  made.stacked = true;
  made.column = form.column;
  made.tuple = form.tuple;
  for (const SlotForm& each : form.slots) made.slots.push_back(empty_slot(e, each));
  return Binding::of(form.kind, std::move(made));
}

Slot empty_slot(Emitter& e, const SlotForm& form) {
  Slot slot{form.name, {}};
  if (form.optional) {
    slot.stack = empty_row(e, cells_of(form));
    slot.item_rows = slot.item_cols = 1;
    slot.places = Binding::matrix(filled(e, 0, lines, 0));
    slot.ragged = slot.optional = true;
    slot.vacant = form.vacant;
    return slot;
  }
  slot.item_rows = form.rows;
  slot.item_cols = form.cols;
  slot.stack = empty_row(e, form.row, form.ragged ? 1 : form.rows * form.cols);
  slot.ragged = form.ragged;
  slot.gaps = form.gaps;
  slot.vacant = form.vacant;
  if (form.ragged) slot.places = Binding::matrix(filled(e, 0, lines, 0));
  return slot;
}

}  // namespace

Binding empty_row(Emitter& e, const RowForm& form) { return empty_row(e, form, 1); }

namespace {

/// A row without elements in another class, or a row of matrices among complex ones.
Binding leaf_like(Emitter& e, const Binding& row, const RowForm& form) {
  const bool none = row.is_matrix() && form.kind == Kind::matrix && e.type(row.value).cols.is(0);
  if (none) return empty_row(e, form, e.type(row.value).rows.constant());
  if (row.kind == form.kind && row.integer_class == form.integer_class) return row;
  if (form.kind == Kind::complex && row.is_matrix() && !e.type(row.value).cols.is(0)) return widened(e, row);
  return empty_row(e, form, e.type(first_leaf(e, row)).rows.constant());
}

}  // namespace

Binding row_like(Emitter& e, const Binding& row, const RowForm& form) {
  if (form.open) return row;
  if (!row.is_aggregate() || row.kind != form.kind)
    return row.is_aggregate() ? empty_row(e, form) : leaf_like(e, row, form);
  Aggregate made = *row.aggregate;
  const Size count = row_count(e, row);
  if (form.column && !made.column)
    e.refuse_unless(e.builder.map(ScalarOp::le, integer(e, count), integer(e, 1)),
                    "a row of cells or structs goes on as a column of them: turn it, as in c'");
  made.column = form.column;
  made.slots.clear();
  for (const SlotForm& each : form.slots) {
    const Slot* own = row.aggregate->find(each.name);
    if (own) {
      made.slots.push_back(slot_like(e, *own, each));
      continue;
    }
    // Elements that were never given the field: [] where extents differ, else there are fewer.
    const Slot slot = empty_slot(e, each);
    made.slots.push_back(each.ragged ? slot_padded(e, slot, count) : slot);
  }
  return Binding::of(row.kind, std::move(made));
}

namespace {

/// Items of a field that may lack, each in a cell; in none where it does.
Slot slot_in_cells(Emitter& e, const SlotForm& form, const Slot& field) {
  const ValueId there = presence_of(e, field);
  std::vector<Binding> cells;
  for (std::size_t k = 0; k < field.items.size(); ++k) {
    const Binding cell = cell_array(1, 1, {as_present(field, k)});
    const bool certain = e.constant_of(there) == 1.0;
    cells.push_back(certain ? cell
                            : row_slice(e, row_of(e, cell, cells_of(form)), 0,
                                        place_size(e, e.builder.convert(there, Element::integer))));
  }
  return slot_of_items(e, form, cells);
}

}  // namespace

Binding row_of(Emitter& e, const Binding& aggregate, const RowForm& form) {
  if (form.kind != aggregate.kind) return empty_row(e, form);
  const Aggregate& a = *aggregate.aggregate;
  Binding row = empty_row(e, form);
  Aggregate made = *row.aggregate;
  for (std::size_t i = 0; i < form.slots.size(); ++i) {
    const Slot* own = a.find(form.slots[i].name);
    if (own)
      made.slots[i] =
          form.slots[i].optional ? slot_in_cells(e, form.slots[i], *own) : slot_of_items(e, form.slots[i], own->items);
    else if (form.slots[i].optional || (form.slots[i].ragged && !a.slots.empty()))  // a map without keys has no element
      made.slots[i] = slot_padded(e, made.slots[i], a.count());
  }
  return Binding::of(aggregate.kind, std::move(made));
}

namespace {

/// A field may not have been given to the last structs: what takes all of some needs it.
void require_complete(Emitter& e, const Binding& row) {
  const Size count = row_count(e, row);
  for (const Slot& slot : row.aggregate->slots)
    if (const Size own = count_of(e, slot); own != count)
      e.refuse_unless(e.equal_sizes(own, count), "the field '" + slot.name + "' has no value in the last structs");
}

}  // namespace

Binding row_slice(Emitter& e, const Binding& row, const Size& first, const Size& count) {
  if (row.is_aggregate()) {
    require_complete(e, row);
    return with_slots(row, [&](const Slot& slot) { return slot_slice(e, slot, first, count); });
  }
  return each_leaf(e, row, [&](ValueId part) { return columns(e, part, first, count); });
}

Binding row_joined(Emitter& e, const Binding& first, const Binding& second) {
  if (first.is_aggregate()) {
    require_complete(e, first);
    require_complete(e, second);
    Aggregate made = *first.aggregate;
    for (std::size_t i = 0; i < made.slots.size(); ++i)
      made.slots[i] = slot_joined(e, made.slots[i], *second.aggregate->find(made.slots[i].name));
    return Binding::of(first.kind, std::move(made));
  }
  if (!first.is_complex()) return first.with_value(appended(e, first.value, second.value));
  const Complex a = parts_of(e, first), b = parts_of(e, second);
  return complex_binding(e, {appended(e, a.re, b.re), appended(e, a.im, b.im)});
}

AggregateExtents item_extents(Emitter& e, const Slot& slot, const Size& at) {
  if (!slot.ragged) return {slot.item_rows, slot.item_cols};
  return {read(e, slot.places.value, line_rows, at), read(e, slot.places.value, line_cols, at)};
}

Binding row_single(Emitter& e, const Binding& row, ValueId there) {
  Binding made = empty_record();
  for (const Slot& slot : row.aggregate->slots) made = with_item(made, slot.name, 0, slot_item(e, slot, 0, there), {});
  Aggregate marked = *made.aggregate;
  for (std::size_t i = 0; i < marked.slots.size(); ++i) {
    const bool tells_itself = !marked.slots[i].items.front().is_aggregate();
    if (row.aggregate->slots[i].optional && !tells_itself) marked.slots[i].presence = Presence::by_contents;
  }
  return Binding::of(Kind::record, std::move(marked));
}

namespace {

/// The one struct of a row, or the cells that it stands for.
Binding element_single(Emitter& e, const Binding& row, ValueId there) {
  const Binding single = row_single(e, row, there);
  return row.aggregate->tuple == 0 ? single : tuple_of_record(single);
}

/// Of a slot whose elements are of one shape.
Binding fixed_item(Emitter& e, const Slot& slot, const Size& at, ValueId there) {
  if (slot.stack.is_aggregate()) {
    const Size count = there ? e.chosen(there, 1, 0) : Size(1);
    return element_single(e, row_slice(e, slot.stack, at, count), there);
  }
  return each_leaf(e, slot.stack, [&](ValueId part) {
    const auto column = [&] { return columns(e, part, at, 1); };
    const Type t = e.type(part);
    const auto zeros = [&] { return e.builder.fill(e.builder.constant(0, t.element), t.rows, 1); };
    const ValueId item = there ? branch_value(e, there, column, zeros) : column();
    return slot.item_cols == 1 ? item : e.builder.reshape(item, slot.item_rows, slot.item_cols);
  });
}

/// Of a ragged slot, as if it had been given.
Binding item_given(Emitter& e, const Slot& slot, const Extent& extent, ValueId there) {
  const Binding elements = row_slice(e, slot.stack, extent.start, extent.count());
  const ValueId is_single = e.equal_sizes(extent.count(), 1);
  if (slot.optional) return with_presence(e, slot_item(e, elements.aggregate->slots.front(), 0, is_single), is_single);
  if (elements.is_record()) {  // one struct; a cell that holds none, or an array of them, is not meant here
    const ValueId fits =
        there ? e.builder.map(ScalarOp::logical_or, is_single, e.builder.map(ScalarOp::logical_not, there)) : is_single;
    e.refuse_unless(
        fits, "a cell or a field that holds structs holds one in each element where the run finds which is meant");
    return element_single(e, elements, there);
  }
  if (elements.is_aggregate()) return elements;
  return each_leaf(e, elements, [&](ValueId part) { return e.builder.reshape(part, extent.rows, extent.cols); });
}

}  // namespace

Binding slot_item(Emitter& e, const Slot& slot, const Size& at, ValueId there) {
  if (!slot.ragged) return fixed_item(e, slot, at, there);
  const Extent extent = extent_at(e, slot, at, there);
  Binding item = item_given(e, slot, extent, there);
  if (slot.gaps) item.given = e.builder.map(ScalarOp::ne, extent.given, integer(e, std::int64_t{0}));
  return item;
}

ValueId given_at(Emitter& e, const Slot& slot, const Size& at) {
  return e.builder.map(ScalarOp::ne, number_at(e, slot.places.value, line_given, at), integer(e, std::int64_t{0}));
}

ValueId all_given(Emitter& e, const Slot& slot) {
  if (!slot.gaps) return e.builder.constant(1, Element::logical);
  const ValueId given = places_line(e, slot.places.value, line_given);
  return e.builder.reduce(e.builder.map(ScalarOp::ne, given, integer(e, std::int64_t{0})), {ReduceOp::all, Axis::cols});
}

Binding places_of_given(Emitter& e, ValueId extents) {
  return Binding::matrix(e.builder.concat({extents, filled(e, 1, 1, e.type(extents).cols)}, Axis::rows));
}

namespace {

/// The slot as that of a field that some structs lack.
Slot optional_like(Emitter& e, const Slot& slot, const SlotForm& form) {
  Slot made = slot;
  if (slot.optional) {
    made.stack = row_like(e, slot.stack, cells_of(form));
    return made;
  }
  const Size count = count_of(e, slot);
  Aggregate cells{1, 1, {slot_like(e, slot, content_of(form))}, true};
  cells.slots.front().name.clear();
  made.stack = Binding::of(Kind::cell, std::move(cells));
  made.places = Binding::matrix(e.builder.concat(
      {filled(e, 1, 2, count), e.builder.iota(Axis::cols, 1, count), filled(e, 1, 1, count)}, Axis::rows));
  made.item_rows = made.item_cols = 1;
  made.ragged = made.optional = true;
  return made;
}

}  // namespace

Slot slot_like(Emitter& e, const Slot& slot, const SlotForm& form) {
  if (slot.vacant && !form.vacant) {
    Slot none = slot_of_items(e, form, {});
    none.name = slot.name;
    return none;
  }
  if (form.optional) return optional_like(e, slot, form);
  Slot made = form.ragged ? ragged(e, slot) : slot;
  if (form.gaps && row_form(e, slot.stack).open) made.places = Binding::matrix(with_given(e, made.places.value, 0));
  made.gaps = form.gaps;
  made.stack = row_like(e, made.stack, form.row);
  return made;
}

Slot slot_of_items(Emitter& e, const SlotForm& form, const std::vector<Binding>& items) {
  Slot made = empty_slot(e, form);
  if (items.empty()) return made;
  const RowForm row = form.optional ? cells_of(form) : form.row;  // items are cells then
  std::vector<Binding> rows;
  std::vector<Extent> extents;
  Size start = 0;
  for (const Binding& item : items) {
    AggregateExtents of_item;
    Binding elements = elements_of_item(e, item, row, of_item);
    if (!form.ragged && !elements.is_aggregate())
      elements =
          each_leaf(e, elements, [&](ValueId part) { return e.builder.reshape(part, form.rows * form.cols, 1); });
    extents.push_back({of_item.rows, of_item.cols, start, given_of(e, form, item)});
    start = start + extents.back().count();
    rows.push_back(std::move(elements));
  }
  made.stack = rows_joined(e, rows);
  if (form.ragged) made.places = Binding::matrix(places_of(e, extents));
  return made;
}

Slot slot_joined(Emitter& e, const Slot& first, const Slot& second) {
  Slot made = first;
  if (first.ragged)
    made.places =
        Binding::matrix(appended(e, first.places.value, moved(e, second.places.value, row_count(e, first.stack))));
  made.stack = row_joined(e, first.stack, second.stack);
  made.gaps = first.gaps || second.gaps;
  return made;
}

Slot slot_slice(Emitter& e, const Slot& slot, const Size& first, const Size& count) {
  Slot made = slot;
  if (!slot.ragged) {
    made.stack = row_slice(e, slot.stack, first, count);
    return made;
  }
  const Size all = count_of(e, slot), total = row_count(e, slot.stack), end = first + count;
  const auto start_of = [&](const Size& at) {
    if (at.is(0)) return Size(0);
    if (at == all) return total;
    const ValueId inside = e.builder.map(ScalarOp::lt, integer(e, at), integer(e, all));
    const ValueId start = branch_value(
        e, inside, [&] { return integer(e, read(e, slot.places.value, line_start, at)); },
        [&] { return integer(e, total); });
    return place_size(e, start);
  };
  const Size from = start_of(first), to = start_of(end);
  made.places = Binding::matrix(moved(e, columns(e, slot.places.value, first, count), Size(0) - from));
  made.stack = row_slice(e, slot.stack, from, e.max0(to - from));
  return made;
}

Slot slot_replaced(Emitter& e, const Slot& slot, const Size& at, const Slot& value) {
  Slot made = slot;
  if (!slot.ragged) {
    made.stack = row_replaced(e, slot.stack, at, 1, value.stack);
    return made;
  }
  const Extent old = extent_at(e, slot, at);
  const Size more = row_count(e, value.stack);
  const Size behind = count_of(e, slot) - at - 1;
  const Extent own = extent_at(e, value, 0);
  const ValueId places = with_starts_moved(e, slot.places.value, at + 1, behind, more - old.count());
  made.places = Binding::matrix(
      e.builder.update(places, {{{SubscriptKind::all, 0, 1, lines}, {SubscriptKind::range, at, 1, 1}}}, {},
                       place_of(e, {own.rows, own.cols, old.start, number_at(e, value.places.value, line_given, 0)})));
  made.stack = row_replaced(e, slot.stack, old.start, old.count(), value.stack);
  return made;
}

Slot slot_without(Emitter& e, const Slot& slot, const Size& at) {
  Slot made = slot;
  const Size behind = count_of(e, slot) - at - 1;
  const bool is_last = behind.is(0);  // as of a stack: one slice
  if (!slot.ragged) {
    made.stack = is_last ? row_slice(e, slot.stack, 0, at) : row_without(e, slot.stack, at, 1);
    return made;
  }
  const Extent old = extent_at(e, slot, at);
  if (is_last) {
    made.places = Binding::matrix(columns(e, slot.places.value, 0, at));
    made.stack = row_slice(e, slot.stack, 0, old.start);
    return made;
  }
  made.places =
      Binding::matrix(beside(e, {columns(e, slot.places.value, 0, at),
                                 moved(e, columns(e, slot.places.value, at + 1, behind), Size(0) - old.count())}));
  made.stack = row_without(e, slot.stack, old.start, old.count());
  return made;
}

Slot slot_padded(Emitter& e, const Slot& slot, const Size& count) {
  const Size more = count - count_of(e, slot);
  if (more.is(0)) return slot;
  Slot made = ragged(e, slot);
  made.gaps = made.gaps || (!made.optional && !is_of_doubles(row_form(e, made.stack)));
  const ValueId none =
      e.builder.concat({filled(e, 0, 2, more), e.builder.fill(integer(e, row_count(e, made.stack)), 1, more),
                        filled(e, made.gaps ? 0 : 1, 1, more)},
                       Axis::rows);
  made.places = Binding::matrix(appended(e, made.places.value, none));
  return made;
}

Binding row_gathered(Emitter& e, const Binding& row, ValueId positions, const Gatherer& gatherer) {
  if (row.is_aggregate()) {
    require_complete(e, row);
    return with_slots(row, [&](const Slot& slot) { return slot_gathered(e, slot, positions, gatherer); });
  }
  const Size count = e.type(positions).cols;
  return each_leaf(e, row, [&](ValueId part) {
    const Size height = e.type(part).rows;
    return e.builder.index(part, {{{SubscriptKind::all, 0, 1, height}, {SubscriptKind::vector, 0, 1, count}}},
                           {positions}, height, count);
  });
}

Slot slot_gathered(Emitter& e, const Slot& slot, ValueId positions, const Gatherer& gatherer) {
  Slot made = slot;
  if (!slot.ragged) {
    made.stack = row_gathered(e, slot.stack, positions, gatherer);
    return made;
  }
  const Size count = e.type(positions).cols;
  const ValueId picked =
      e.builder.index(slot.places.value, {{{SubscriptKind::all, 0, 1, lines}, {SubscriptKind::vector, 0, 1, count}}},
                      {positions}, lines, count);
  made.stack = row_gathered(e, slot.stack, gatherer(slot.places.value, positions), gatherer);
  const auto line = [&](Line at) { return places_line(e, picked, at); };
  const ValueId lengths = e.builder.map(ScalarOp::mul, line(line_rows), line(line_cols));
  const ValueId starts = e.builder.map(ScalarOp::sub, e.builder.scan(lengths, {ReduceOp::sum, Axis::cols}), lengths);
  made.places =
      Binding::matrix(e.builder.concat({line(line_rows), line(line_cols), starts, line(line_given)}, Axis::rows));
  return made;
}

}  // namespace lac::frontend
