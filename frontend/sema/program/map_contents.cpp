// What a map tells of itself.
#include <algorithm>
#include <numeric>

#include "frontend/sema/program/map_keys.h"
#include "frontend/sema/program/maps.h"
#include "frontend/sema/program/shared.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/operators.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {

/// One key, those in a cell array, or the elements of a matrix.
std::vector<Binding> Lowerer::MapView::each_key(const Binding& keys, std::int64_t& rows, std::int64_t& cols) {
  rows = cols = 1;
  if (keys.kind == Binding::Kind::poisoned) throw LowerError{};
  if (keys.is_cell() && keys.aggregate->stacked)
    e_.fail(span_, "how many keys these are must be known while the program is compiled: write a loop over them");
  const bool many = (keys.is_matrix() || keys.is_integer()) && !e_.type(keys.value).is_scalar();
  if (!keys.is_cell() && !many) return {as_key(keys)};
  const Type* t = many ? &e_.type(keys.value) : nullptr;
  if (t && (!t->rows.is_constant() || !t->cols.is_constant()))
    e_.fail(span_, "how many keys these are must be known while the program is compiled: write a loop over them");
  const Binding cell = many ? l_.cells_of_elements(keys, span_) : keys;
  rows = cell.aggregate->rows;
  cols = cell.aggregate->cols;
  std::vector<Binding> each = items_of(cell);
  for (Binding& key : each) key = as_key(key);
  return each;
}

Binding Lowerer::MapView::is_key(const Binding& keys) {
  std::int64_t rows = 0, cols = 0;
  std::vector<ValueId> truths;
  const ValueId no = e_.builder.constant(0, Element::logical);
  for (const Binding& key : each_key(keys, rows, cols)) {
    const bool one = !key.is_matrix() || e_.type(key.value).is_scalar();
    const Place place = fits_type(key) && one ? find(key) : Place{0, {}, {}};
    truths.push_back(place.known == 0 ? no : place.found);
  }
  if (rows == 1 && cols == 1) return Binding::matrix(truths.front());
  if (truths.empty()) return Binding::matrix(e_.builder.fill(no, rows, cols));
  return Binding::matrix(literal(e_, truths, rows, cols));
}

Binding Lowerer::MapView::count() {
  Builder& b = e_.builder;
  if (is_tabled()) return Binding::matrix(b.size(count_of(e_, *contents_.aggregate)));
  std::int64_t certain = 0;
  ValueId perhaps;
  for (const Slot& slot : contents_.aggregate->slots) {
    const ValueId here = presence(slot);
    if (e_.constant_of(here) == 1.0) {
      ++certain;
      continue;
    }
    const ValueId number = b.convert(here, Element::integer);
    perhaps = perhaps ? b.map(ScalarOp::add, perhaps, number) : number;
  }
  const ValueId sure = b.constant(static_cast<double>(certain), Element::integer);
  return Binding::matrix(perhaps ? b.map(ScalarOp::add, perhaps, sure) : sure);
}

/// The fields of a list in the order of their keys, all of which must certainly be there.
std::vector<std::int64_t> Lowerer::MapView::listed_order() {
  const auto& slots = contents_.aggregate->slots;
  for (const Slot& slot : slots)
    if (e_.constant_of(presence(slot)) != 1.0)
      e_.fail(span_,
              "which keys the containers.Map has is found by the run, for a branch adds one: a cell array of them has "
              "a length that must be known; ask isKey(m, key) of each");
  std::vector<std::int64_t> order(slots.size());
  std::iota(order.begin(), order.end(), 0);
  const bool numeric = kind().is_numeric();
  std::ranges::sort(order, [&](std::int64_t x, std::int64_t y) {
    const std::string &a = slots[static_cast<std::size_t>(x)].name, &b = slots[static_cast<std::size_t>(y)].name;
    return numeric ? number_of_field(a) < number_of_field(b) : text_of_field(a) < text_of_field(b);
  });
  return order;
}

Binding Lowerer::MapView::column_in_order(std::string_view field) {
  const Size count = count_of(e_, *contents_.aggregate);
  std::vector<Binding> items;
  if (count.is(0)) return cell_array(1, 0, {});
  if (!count.is_constant() || has_rows()) return l_.elements_gathered(cells_in_column(field), order_of_keys(), span_);
  const ValueId numbers = column(key_field)->stack.value;
  std::vector<ValueId> places;
  if (const auto known = numbers_of(e_, numbers)) {
    std::vector<std::int64_t> order(known->size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](std::int64_t at) { return (*known)[static_cast<std::size_t>(at)]; });
    for (const std::int64_t at : order) {
      places.push_back(e_.builder.constant(static_cast<double>(at + 1), Element::integer));
      if (field == key_field)
        items.push_back(
            Binding::matrix(e_.builder.constant((*known)[static_cast<std::size_t>(at)], e_.type(numbers).element)));
    }
    if (field == key_field) return cell_array(1, count.constant(), std::move(items));
  } else {
    const ValueId order = order_of_keys();
    for (std::int64_t k = 0; k < count.constant(); ++k) {
      const Subscripts here{{{SubscriptKind::range, k, 1, 1}}};
      places.push_back(e_.type(order).is_scalar() ? order : e_.builder.index(order, here, {}, 1, 1));
    }
  }
  for (const ValueId place : places) items.push_back(l_.item_at(contents_, *column(field), "m", place));
  return cell_array(1, count.constant(), std::move(items));
}

Binding Lowerer::MapView::keys() {
  const Binding numbers = keys_as_kept();
  const std::string& type = kind().key_type;
  if (type == "char" || type == "double") return numbers;
  const Binding uniform = Binding::matrix(e_.builder.constant(0, Element::logical));
  return l_
      .call_by_name("cellfun", {function_named(type, span_), numbers, Binding::string("UniformOutput", false), uniform},
                    1, span_)
      .front();
}

// Those of other classes as numbers.
Binding Lowerer::MapView::keys_as_kept() {
  if (is_tabled()) return column_in_order(key_field);
  std::vector<Binding> items;
  for (const std::int64_t at : listed_order()) {
    const std::string& name = contents_.aggregate->slots[static_cast<std::size_t>(at)].name;
    items.push_back(kind().is_numeric() ? Binding::matrix(e_.builder.constant(
                                              number_of_field(name), element_of_number(e_, number_of_field(name))))
                                        : Binding::string(text_of_field(name), true));
  }
  const auto count = static_cast<std::int64_t>(items.size());
  return cell_array(1, count, std::move(items));
}

Binding Lowerer::MapView::values() {
  if (is_tabled()) return column_in_order(value_field);
  std::vector<Binding> items;
  for (const std::int64_t at : listed_order())
    items.push_back(contents_.aggregate->slots[static_cast<std::size_t>(at)].items.front());
  const auto count = static_cast<std::int64_t>(items.size());
  return cell_array(1, count, std::move(items));
}

Binding Lowerer::MapView::values_of(const Binding& keys) {
  if (!keys.is_cell()) l_.stop(span_, "containers.Map: input argument 'keySet' must be a cell");
  std::int64_t rows = 0, cols = 0;
  std::vector<Binding> items;
  for (const Binding& key : each_key(keys, rows, cols))
    items.push_back(read_or_stop(key, "containers.Map: key <%s> does not exist"));
  return cell_array(rows, cols, std::move(items));
}

Binding Lowerer::MapView::types(const std::string& which) const {
  return Binding::string(which == "KeyType" ? kind().key_type : kind().value_type, false);
}

void Lowerer::MapView::show(const std::string& name) {
  const auto say = [&](std::string text) {
    Message message;
    message.format = "%s";
    message.arguments = {std::move(text)};
    e_.builder.format(std::move(message), {});
  };
  Message message;
  message.format =
      (name.empty() ? "" : name + " =\n\n") + "  containers.Map object with properties:\n\n" + "    Count     : %d\n";
  message.arguments = {std::nullopt};
  e_.builder.format(std::move(message), {count().value});
  say("    KeyType   : " + kind().key_type + "\n    ValueType : " + kind().value_type + "\n\n" +
      (name.empty() ? "" : "\n"));
}

}  // namespace lac::frontend
