#include "frontend/sema/stacks/stack_form.h"

#include <algorithm>

#include "frontend/sema/complex/complex.h"

namespace lac::frontend {
namespace {

using Kind = Binding::Kind;

RowForm leaf_form(const Emitter& e, const Binding& leaf) {
  RowForm form;
  form.kind = leaf.kind;
  form.integer_class = leaf.integer_class;
  if (!leaf.is_matrix()) return form;
  form.element = e.type(leaf.value).element;
  form.single = form.element == Element::single && e.graph.precision != Element::single;
  return form;
}

bool is_constant(const Type& t) { return t.rows.is_constant() && t.cols.is_constant(); }

/// Of a leaf or of the parts of a complex value.
std::optional<SlotForm> leaf_slot(const RowForm& row, const Type& t) {
  SlotForm form;
  form.row = row;
  form.ragged = row.kind == Kind::text || !is_constant(t) || t.rows.constant() * t.cols.constant() == 0;
  form.row.open = row.kind == Kind::matrix && t.rows.is(0) && t.cols.is(0);
  if (form.ragged) return form;
  form.rows = t.rows.constant();
  form.cols = t.cols.constant();
  return form;
}

}  // namespace

RowForm form_of_kind(Binding::Kind kind) {
  RowForm form;
  form.kind = kind;
  return form;
}

bool is_of_doubles(const RowForm& form) {
  return form.kind == Kind::matrix && form.element != Element::logical && !form.single;
}

bool is_columns(const RowForm& form) {
  return form.kind == Kind::record && std::ranges::all_of(form.slots, [](const SlotForm& slot) {
           return !slot.ragged && slot.row.kind == Kind::matrix;
         });
}

RowForm row_form(const Emitter& e, const Binding& row) {
  RowForm form;
  form.kind = row.kind;
  if (row.is_complex() || row.kind == Kind::poisoned) return form;
  if (row.is_leaf()) {
    form = leaf_form(e, row);
    form.open = row.is_matrix() && e.type(row.value).cols.is(0);
    return form;
  }
  for (const Slot& slot : row.aggregate->slots) form.slots.push_back(slot_form(e, slot));
  form.column = row.aggregate->column;
  form.tuple = row.aggregate->tuple;
  return form;
}

SlotForm slot_form(const Emitter& e, const Slot& slot) {
  if (slot.optional) {
    SlotForm form = slot_form(e, slot.stack.aggregate->slots.front());
    form.name = slot.name;
    form.vacant = slot.vacant;
    form.optional = true;
    return form;
  }
  return {.name = slot.name,
          .vacant = slot.vacant,
          .ragged = slot.ragged,
          .gaps = slot.gaps,
          .rows = slot.item_rows,
          .cols = slot.item_cols,
          .row = row_form(e, slot.stack)};
}

namespace {

/// Of a row of cells of several kinds.
std::optional<SlotForm> tuple_form(const Emitter& e, const Binding& value) {
  if (!value.is_cell() || value.aggregate->rows != 1) return std::nullopt;
  SlotForm form;
  form.row.kind = Kind::record;
  form.row.tuple = value.aggregate->cols;
  for (const Binding& item : items_of(value)) {
    auto one = item_form(e, item);
    if (!one) return std::nullopt;
    one->name = std::to_string(form.row.slots.size() + 1);
    form.row.slots.push_back(*std::move(one));
  }
  return form;
}

std::optional<SlotForm> content_form(const Emitter& e, const Binding& value) {
  if (value.defined) return std::nullopt;
  if (value.is_known_text()) {
    const auto count = static_cast<std::int64_t>(value.text.size());
    return leaf_slot(form_of_kind(Kind::text), Type::matrix(Element::integer, count == 0 ? 0 : 1, count));
  }
  if (value.is_leaf()) {
    if (e.type(value.value).is_sparse()) return std::nullopt;
    return leaf_slot(leaf_form(e, value), e.type(value.value));
  }
  if (value.is_complex()) {
    const Binding& re = value.aggregate->slots[0].items[0];
    return leaf_slot(form_of_kind(Kind::complex), e.type(re.value));
  }
  if (!value.is_record() && !value.is_cell()) return std::nullopt;
  SlotForm form;
  const Aggregate& a = *value.aggregate;
  form.ragged = value.is_cell() || a.stacked || a.count() != 1;
  if (a.stacked) form.row = row_form(e, value);
  else if (auto elements = elements_form(e, value)) form.row = *std::move(elements);
  else return tuple_form(e, value);
  return form;
}

}  // namespace

std::optional<SlotForm> item_form(const Emitter& e, const Binding& value) {
  std::optional<SlotForm> form = content_form(e, value);
  if (form && value.given) form->gaps = form->ragged = true;
  return form;
}

std::optional<RowForm> elements_form(const Emitter& e, const Binding& aggregate) {
  RowForm form;
  form.kind = aggregate.kind;
  if (aggregate.aggregate->rows > 1 && aggregate.aggregate->cols > 1) return std::nullopt;
  for (const Slot& slot : aggregate.aggregate->slots) {
    std::optional<SlotForm> all;
    for (std::size_t k = 0; k < slot.items.size(); ++k) {
      const bool of_field = aggregate.is_record();
      std::optional<SlotForm> one = item_form(e, of_field ? as_present(slot, k) : slot.items[k]);
      if (one) one->name = slot.name;
      if (one && of_field && may_lack(slot)) one->optional = one->ragged = true;
      if (one && all && !keeps_classes(all->row, one->row)) return std::nullopt;
      all = !one ? std::nullopt : all ? joined_form(*all, *one) : one;
      if (!all) return std::nullopt;
    }
    if (!all) {  // no elements
      all = SlotForm{.name = slot.name, .vacant = true};
      all->row.open = true;
    }
    form.slots.push_back(*std::move(all));
  }
  form.open = form.slots.empty() && aggregate.aggregate->count() == 0;
  form.column = aggregate.aggregate->rows > 1;
  form.row = aggregate.aggregate->cols > 1;
  return form;
}

namespace {

/// The fields of both, those of `a` first.
std::optional<std::vector<SlotForm>> joined_fields(const std::vector<SlotForm>& a, const std::vector<SlotForm>& b,
                                                   Fields fields) {
  std::vector<SlotForm> slots = a;
  const auto lacks = [&](SlotForm& slot) {
    if (fields == Fields::own) slot.optional = slot.ragged = true;
  };
  for (SlotForm& own : slots)
    if (std::ranges::find(b, own.name, &SlotForm::name) == b.end()) lacks(own);
  for (const SlotForm& other : b) {
    const auto own = std::ranges::find(slots, other.name, &SlotForm::name);
    if (own == slots.end()) {
      lacks(slots.emplace_back(other));
      continue;
    }
    const auto both = joined_form(*own, other);
    if (!both) return std::nullopt;
    *own = *both;
  }
  return slots;
}

}  // namespace

std::optional<RowForm> joined_form(const RowForm& a, const RowForm& b, Fields fields) {
  if (a.kind == Kind::poisoned || b.kind == Kind::poisoned) return std::nullopt;
  if ((a.row && b.column) || (a.column && b.row)) return std::nullopt;
  if (a.open || b.open) {
    RowForm form = a.open ? b : a;
    if (a.open && b.open) form.element = join(a.element, b.element);
    form.column = a.column || b.column;
    form.row = a.row || b.row;
    return form;
  }
  if (a.kind == Kind::complex || b.kind == Kind::complex) {
    const auto is_number = [](const RowForm& each) { return each.kind == Kind::complex || each.kind == Kind::matrix; };
    return is_number(a) && is_number(b) ? std::optional(form_of_kind(Kind::complex)) : std::nullopt;
  }
  if (a.kind != b.kind || a.integer_class != b.integer_class || a.tuple != b.tuple) return std::nullopt;
  RowForm form = a;
  if (a.kind == Kind::matrix) form.element = join(a.element, b.element);
  auto slots = joined_fields(a.slots, b.slots, fields);
  if (!slots) return std::nullopt;
  form.slots = *std::move(slots);
  form.column = a.column || b.column;
  form.row = a.row || b.row;
  return form;
}

std::optional<SlotForm> joined_form(const SlotForm& a, const SlotForm& b) {
  if (a.vacant || b.vacant) {
    SlotForm form = a.vacant ? b : a;
    form.name = a.name;
    form.optional = a.optional || b.optional;
    form.ragged = form.ragged || form.optional;
    return form;
  }
  const std::optional<RowForm> row = joined_form(a.row, b.row, Fields::own);
  if (!row) return std::nullopt;
  SlotForm form = a;
  form.row = *row;
  form.optional = a.optional || b.optional;
  form.ragged = form.optional || a.ragged || b.ragged || a.rows != b.rows || a.cols != b.cols;
  const bool begins = a.row.open != b.row.open && !is_of_doubles(*row);
  form.gaps = a.gaps || b.gaps || begins;
  if (form.ragged) form.rows = form.cols = 1;
  return form;
}

namespace {

bool is_same_class(const RowForm& a, const RowForm& b) {
  const auto is_logical = [](const RowForm& each) {
    return each.kind == Kind::matrix && each.element == Element::logical;
  };
  return is_logical(a) == is_logical(b) && a.single == b.single;
}

/// Whether it holds for one pair of slots that both have.
bool any_pair(const RowForm& a, const RowForm& b, bool (*holds)(const RowForm&, const RowForm&)) {
  return std::ranges::any_of(a.slots, [&](const SlotForm& slot) {
    const auto other = std::ranges::find(b.slots, slot.name, &SlotForm::name);
    return other != b.slots.end() && !slot.vacant && !other->vacant && holds(slot.row, other->row);
  });
}

bool mixes_classes(const RowForm& a, const RowForm& b) {
  return !a.open && !b.open && (!is_same_class(a, b) || any_pair(a, b, mixes_classes));
}

}  // namespace

bool keeps_classes(const RowForm& a, const RowForm& b) { return !mixes_classes(a, b); }

bool takes_class(const RowForm& a, const RowForm& b) {
  const bool begins = a.open != b.open && a.kind == Kind::matrix && b.kind == Kind::matrix;
  return (begins && !is_same_class(a, b)) || any_pair(a, b, takes_class);
}

bool operator==(const RowForm& a, const RowForm& b) {
  return a.kind == b.kind && a.integer_class == b.integer_class && a.column == b.column && a.tuple == b.tuple &&
         a.slots == b.slots;
}

bool operator==(const SlotForm& a, const SlotForm& b) {
  return a.name == b.name && a.vacant == b.vacant && a.optional == b.optional && a.ragged == b.ragged &&
         a.gaps == b.gaps && a.rows == b.rows && a.cols == b.cols && a.row == b.row;
}

}  // namespace lac::frontend
