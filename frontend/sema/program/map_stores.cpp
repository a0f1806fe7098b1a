// What stores into a map and removes from it.
#include <algorithm>

#include "frontend/sema/program/map_keys.h"
#include "frontend/sema/program/maps.h"
#include "frontend/sema/program/shared.h"
#include "frontend/sema/stacks/stack_form.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/operators.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {

// What the ValueType of the map makes of a value.
Binding Lowerer::MapView::of_value_type(const Binding& value) {
  const std::string& type = kind().value_type;
  if (type == "any") return value;
  const bool fits = type == "char" ? value.is_text() : value.is_matrix() && e_.type(value.value).is_scalar();
  if (value.kind == Binding::Kind::poisoned) throw LowerError{};
  if (!fits) l_.stop(span_, "containers.Map: specified value type does not match the type of this container");
  return type == "char" ? value : l_.call_by_name(type, {value}, 1, span_).front();
}

// Keys of the classes of integers are the whole numbers in their range.
Binding Lowerer::MapView::as_key(const Binding& given) {
  if (given.kind == Binding::Kind::poisoned) throw LowerError{};
  if (!kind().is_numeric() || (!given.is_matrix() && !given.is_integer())) return given;
  Binding key = given;
  if (kind().key_type != "double") key = l_.call_by_name(kind().key_type, {key}, 1, span_).front();
  return key.is_integer() ? l_.call_by_name("double", {key}, 1, span_).front() : key;
}

bool Lowerer::MapView::fits_table(const Binding& key, const Binding& value) const {
  if (!kind().is_numeric() || !key.is_matrix() || !value.is_matrix() || value.defined) return false;
  const Type t = e_.type(value.value);
  if (!t.is_dense() || !t.rows.is_constant() || !t.cols.is_constant() || t.count().is(0)) return false;
  if (!is_tabled()) return listed_count() == 0;
  const Slot* column_of_values = column(value_field);
  if (!column_of_values) return true;
  const auto form = item_form(e_, value);
  return t.rows.is(column_of_values->item_rows) && t.cols.is(column_of_values->item_cols) && form &&
         keeps_classes(slot_form(e_, *column_of_values).row, form->row);
}

void Lowerer::MapView::refuse_key_of_run(const Binding& key) {
  if (key.is_text())
    e_.fail(
        span_,
        "the run finds keys of this containers.Map, so all of its values must be of one kind: numbers of one class, "
        "strings, or structs or cells that hold such");
  e_.fail(span_,
          "the run finds the key of this containers.Map, so all of its values must be matrices of one constant shape "
          "and one class");
}

void Lowerer::MapView::store(const Binding& given, const Binding& given_value) {
  const Binding key = as_key(given);
  require_key_type(key);
  Binding value = of_value_type(given_value);
  value.defined = {};
  if (!field_of(key)) l_.unroll_where_it_tells(key.value, most_unrolled);
  if (fits_table(key, value)) return store_in_table(key, value, find(key));
  if (has_rows() || (key.is_text() && !field_of(key))) return store_in_rows(key, value);
  if (is_tabled()) list();
  store_in_list(key, value);
}

// A table whose keys are known as a list.
void Lowerer::MapView::list() {
  const Slot* keys = column(key_field);
  Binding made = empty_record();
  if (keys) {
    const auto numbers = numbers_of(e_, keys->stack.value);
    if (!numbers) refuse_key_of_run(Binding::matrix(keys->stack.value));
    for (std::size_t k = 0; k < numbers->size(); ++k) {
      const ValueId at = e_.builder.constant(static_cast<double>(k + 1), Element::integer);
      made =
          with_item(made, field_of_number((*numbers)[k]), 0, l_.item_at(contents_, *column(value_field), "m", at), {});
    }
  }
  contents_ = std::move(made);
}

void Lowerer::MapView::store_in_list(const Binding& key, const Binding& value) {
  const std::optional<std::string> field = field_of(key);
  if (!field) {
    l_.unroll_where_it_tells(key.value, most_unrolled_for_kinds);
    refuse_key_of_run(key);
  }
  std::size_t leaves = 0;
  for_each_leaf(value, "", [&](const std::string&, const Binding&) { ++leaves; });
  if (leaves == 0 && e_.conditional() && !contents_.aggregate->find(*field))
    e_.fail(span_,
            "a cell array or a struct that holds nothing is no value that a branch or a loop may add to a "
            "containers.Map: add it before");
  put_back(with_item(contents_, *field, 0, value, {}));
}

void Lowerer::MapView::store_in_table(const Binding& key, const Binding& value, const Place& place) {
  Builder& b = e_.builder;
  Aggregate table = *contents_.aggregate;
  if (!is_tabled()) {
    table.slots.clear();
    table.stacked = true;
  }
  if (table.slots.empty()) {
    const Type t = e_.type(value.value);
    const ValueId none = b.fill(b.constant(0, Element::integer), 1, 0);
    table.slots.push_back({std::string(key_field), {}, Binding::matrix(none), 1, 1});
    table.slots.push_back({std::string(value_field), {}, Binding::matrix(none), t.rows.constant(), t.cols.constant()});
    table.slots[1].stack = Binding::matrix(b.fill(b.constant(0, e_.type(value.value).element), t.count(), 0));
  }
  Slot &keys = table.slots[0], &values = table.slots[1];
  if (place.known == 0) {  // a key that is new: keys that are known stay so
    const auto appended = [&](const Slot& slot, ValueId item) {
      const Type t = e_.type(item);
      const ValueId next = t.is_scalar() || t.cols.is(1) ? item : b.reshape(item, t.count(), 1);
      if (e_.type(slot.stack.value).cols.is(0)) return Binding::matrix(next);
      return Binding::matrix(concatenate(e_, {slot.stack.value, next}, Axis::cols, span_));
    };
    keys.stack = appended(keys, key.value);
    values.stack = appended(values, value.value);
    return put_back(Binding::of(Binding::Kind::record, std::move(table)));
  }
  contents_ = Binding::of(Binding::Kind::record, table);
  ValueId position = place.position;
  if (place.known) {
    position = b.constant(static_cast<double>(*place.known), Element::integer);
  } else {
    const ValueId next = b.map(ScalarOp::add, b.size(e_.type(keys.stack.value).cols), b.constant(1, Element::integer));
    position = b.map(ScalarOp::select, {place.found, place.position, next});
  }
  std::optional<Binding> made = contents_;
  if (!place.known) made = l_.with_column(*made, "m", std::string(key_field), position, key, span_);
  if (made) made = l_.with_column(*made, "m", std::string(value_field), position, value, span_);
  if (!made) refuse_key_of_run(key);
  put_back(*std::move(made));
}

void Lowerer::MapView::remove(const Binding& keys) {
  std::int64_t rows = 0, cols = 0;
  for (const Binding& key : each_key(keys, rows, cols))
    if (fits_type(key)) remove_one(key);
}

void Lowerer::MapView::remove_one(const Binding& key) {
  const Place place = find(key);
  if (place.known == 0) return;
  if (!is_tabled()) {
    const std::optional<std::string> field = field_of(key);
    if (!field) refuse_key_of_run(key);
    Aggregate made = *contents_.aggregate;
    std::erase_if(made.slots, [&](const Slot& slot) { return slot.name == *field; });
    return put_back(Binding::of(Binding::Kind::record, std::move(made)));
  }
  if (!place.known) {
    l_.branch(
        place.found, [&] { put_back(l_.without_element(contents_, "m", place.position)); }, [] {}, span_);
    contents_ = whole(l_.frame_->env, map_.text);
    return;
  }
  const auto numbers = numbers_of(e_, column(key_field)->stack.value);
  Binding made =
      l_.without_element(contents_, "m", e_.builder.constant(static_cast<double>(*place.known), Element::integer));
  if (numbers) {  // those that are left are known as well
    std::vector<double> left = *numbers;
    left.erase(left.begin() + (*place.known - 1));
    Aggregate table = *made.aggregate;
    const auto count = static_cast<std::int64_t>(left.size());
    if (count > 0)
      table.slots[0].stack =
          Binding::matrix(e_.builder.table(std::move(left), e_.type(table.slots[0].stack.value).element, 1, count));
    made = Binding::of(Binding::Kind::record, std::move(table));
  }
  put_back(std::move(made));
}

}  // namespace lac::frontend
