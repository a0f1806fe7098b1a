#include "frontend/sema/program/maps.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "frontend/sema/program/shared.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/operators.h"
#include "frontend/sema/values/strings.h"
#include "ir/types/text.h"

namespace lac::frontend {
namespace {

constexpr std::string_view key_field = "key", value_field = "value";

constexpr const char* missing_key = "containers.Map: specified key <%s> does not exist";

// Names of fields, and so of leaves, are letters and digits.
std::string field_of_text(const std::string& text) {
  static constexpr const char* digits = "0123456789abcdef";
  std::string name = "t";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    name += digits[byte / 16];
    name += digits[byte % 16];
  }
  return name;
}

std::string text_of_field(const std::string& name) {
  std::string text;
  for (std::size_t i = 1; i < name.size(); i += 2) text += static_cast<char>(std::stoi(name.substr(i, 2), nullptr, 16));
  return text;
}

std::string field_of_number(double number) {
  return "n" + std::to_string(std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number));
}

double number_of_field(const std::string& name) { return std::bit_cast<double>(std::stoull(name.substr(1))); }

/// A number as disp shows it: five significant digits where it has a fraction.
std::string shown(double number) {
  const double size = std::abs(number);
  if (number == std::trunc(number) || !(size >= 1e-2 && size < 1e5)) return number_text(number);
  const int before = static_cast<int>(std::floor(std::log10(size)));
  const int decimals = before >= 0 ? std::max(4 - before, 0) : before == -1 ? 4 : 6;
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, number);
  return text.data();
}

std::string replaced(std::string format, const std::string& word) { return format.replace(format.find("%s"), 2, word); }

}  // namespace

Lowerer::MapView::MapView(Lowerer& lowerer, const Binding& map, Span span)
    : l_(lowerer), e_(lowerer.emit_), map_(map), span_(span), contents_(whole(lowerer.frame_->env, map.text)) {
  if (contents_.is_record()) return;
  e_.fail(span,
          "what the containers.Map holds differs in form behind a branch or a loop: give its values one kind and one "
          "shape, or make it where it is used");
}

void Lowerer::MapView::put_back(Binding contents) {
  contents_ = std::move(contents);
  put(l_.frame_->env, map_.text, contents_);
}

bool Lowerer::MapView::fits_type(const Binding& key) const {
  return kind().is_numeric() ? key.is_matrix() : key.is_text();
}

void Lowerer::MapView::require_key_type(const Binding& key) {
  if (key.kind == Binding::Kind::poisoned) throw LowerError{};
  const bool scalar = !key.is_matrix() || e_.type(key.value).is_scalar();
  if (!fits_type(key) || !scalar)
    l_.stop(span_, "containers.Map: specified key type does not match the type of this container");
}

/// The field that a key is; nothing where the run finds the key.
std::optional<std::string> Lowerer::MapView::field_of(const Binding& key) const {
  if (key.is_known_text()) return field_of_text(key.text);
  if (key.is_text()) {
    const auto codes = numbers_of(e_, key.value);
    if (!codes) return std::nullopt;
    std::string text;
    for (const double code : *codes) text += static_cast<char>(static_cast<unsigned char>(code));
    return field_of_text(text);
  }
  const auto number = e_.constant_of(key.value);
  return number ? std::optional(field_of_number(*number)) : std::nullopt;
}

Lowerer::MapView::Place Lowerer::MapView::find(const Binding& key) {
  const std::optional<std::string> field = field_of(key);
  if (!is_tabled()) {
    if (!field) return listed_count() == 0 ? Place{0, {}, {}} : find_by_run(key);
    const auto& slots = contents_.aggregate->slots;
    const auto at = std::ranges::find(slots, *field, &Slot::name);
    if (at == slots.end()) return {0, {}, {}};
    return {at - slots.begin() + 1, {}, presence(at->items.front())};
  }
  const Slot* keys = column(key_field);
  if (!keys || e_.type(keys->stack.value).cols.is(0)) return {0, {}, {}};
  const auto known = numbers_of(e_, keys->stack.value);
  if (!known || !field) return find_by_run(key);
  const auto at = std::ranges::find(*known, number_of_field(*field));
  if (at == known->end()) return {0, {}, {}};
  return {at - known->begin() + 1, {}, e_.builder.constant(1, Element::logical)};
}

// No key is there twice: the place is the sum over all places of those where the key is.
Lowerer::MapView::Place Lowerer::MapView::find_by_run(const Binding& key) {
  Builder& b = e_.builder;
  const ValueId one = b.constant(1, Element::integer);
  ValueId position;
  if (is_tabled()) {
    const ValueId keys = column(key_field)->stack.value;
    const ValueId same = binary(e_, ast::BinaryOp::equal, keys, key.value, span_);
    if (e_.type(keys).is_scalar()) {
      position = b.convert(same, Element::integer);
    } else {
      const ValueId places = b.map(ScalarOp::add, b.iota(Axis::cols, 1, e_.type(keys).cols), one);
      position = b.reduce(b.map(ScalarOp::mul, b.convert(same, Element::integer), places), {ReduceOp::sum, Axis::all});
    }
  } else {
    position = b.constant(0, Element::integer);
    std::int64_t at = 0;
    for (const Slot& slot : contents_.aggregate->slots) {
      ++at;
      const bool is_text = !kind().is_numeric();
      const ValueId same = is_text ? same_strings(e_, key, Binding::string(text_of_field(slot.name), true))
                                   : binary(e_, ast::BinaryOp::equal, key.value,
                                            b.constant(number_of_field(slot.name), e_.graph.precision), span_);
      const ValueId here = b.map(ScalarOp::logical_and, same, presence(slot.items.front()));
      position = b.map(ScalarOp::select, {here, b.constant(static_cast<double>(at), Element::integer), position});
    }
  }
  return {std::nullopt, position, b.map(ScalarOp::ge, position, one)};
}

/// Whether what a field of a list holds is there: an arm of a branch alone may have added it.
ValueId Lowerer::MapView::presence(const Binding& item) const {
  std::optional<Binding> first;
  for_each_leaf(item, "", [&](const std::string&, const Binding& leaf) {
    if (!first) first = leaf;
  });
  if (first && first->kind == Binding::Kind::poisoned && !first->poison.empty()) e_.fail(span_, first->poison);
  if (first && first->defined) return first->defined;
  return e_.builder.constant(1, Element::logical);
}

// The words of an error, in which the key stands as disp shows it.
void Lowerer::MapView::stop_as_missing(const Binding& key, const std::string& format) {
  const std::optional<std::string> field = field_of(key);
  if (field) l_.stop(span_, replaced(format, key.is_text() ? text_of_field(*field) : shown(number_of_field(*field))));
  e_.at(span_);
  const ValueId never = e_.builder.constant(0, Element::logical);
  if (key.is_text()) e_.require(never, "containers.Map: the specified key does not exist", {});
  else e_.require(never, replaced(format, "%g"), {key.value});
  throw Unreachable{};
}

Binding Lowerer::MapView::read(const Binding& key) {
  require_key_type(key);
  return read_or_stop(key, missing_key);
}

Binding Lowerer::MapView::read_or_stop(const Binding& key, const std::string& format) {
  const Place place = find(key);
  if (place.known == 0) stop_as_missing(key, format);
  const std::optional<std::string> field = field_of(key);
  if (place.found && e_.constant_of(place.found) != 1.0) {
    if (field && key.is_text()) e_.require(place.found, replaced(format, text_of_field(*field)), {});
    else if (key.is_text()) e_.require(place.found, "containers.Map: the specified key does not exist", {});
    else e_.require(place.found, replaced(format, "%g"), {key.value});
  }
  const auto plain = [](Binding leaf) {
    leaf.defined = {};
    return leaf;
  };
  if (is_tabled()) {
    const ValueId position =
        place.known ? e_.builder.constant(static_cast<double>(*place.known), Element::integer) : place.position;
    return plain(l_.column_of(*column(value_field), "m", position));
  }
  const auto item = [&](std::int64_t k) {
    const Binding& held = contents_.aggregate->slots[static_cast<std::size_t>(k)].items.front();
    Environment env;  // each leaf is there where the value is
    put(env, "value", held);
    if (!held.is_compound()) return plain(held);
    for_each_leaf(held, "value", [&](const std::string& path, const Binding& leaf) { env[path] = plain(leaf); });
    return whole(env, "value");
  };
  if (place.known) return item(*place.known - 1);
  std::vector<Binding> items(static_cast<std::size_t>(listed_count()));
  const Binding cells = cell_array(1, listed_count(), std::move(items));
  return l_.element_chosen(cells, place.position, item);
}

// What the ValueType of the map makes of a value.
Binding Lowerer::MapView::of_value_type(const Binding& value) {
  const std::string& type = kind().value_type;
  if (type == "any") return value;
  const bool fits = type == "char" ? value.is_text() : value.is_matrix() && e_.type(value.value).is_scalar();
  if (value.kind == Binding::Kind::poisoned) throw LowerError{};
  if (!fits) l_.stop(span_, "containers.Map: specified value type does not match the type of this container");
  return type == "char" ? value : l_.call_by_name(type, {value}, 1, span_).front();
}

// Keys of the classes of integers are whole numbers.
Binding Lowerer::MapView::with_key_class(const Binding& key) {
  const std::string& type = kind().key_type;
  if (type == "char" || type == "double" || !key.is_matrix()) return key;
  return l_.call_by_name(type == "single" ? "single" : "round", {key}, 1, span_).front();
}

bool Lowerer::MapView::fits_table(const Binding& key, const Binding& value) const {
  if (!kind().is_numeric() || !key.is_matrix() || !value.is_matrix() || value.defined) return false;
  const Type& t = e_.type(value.value);
  if (!t.is_dense() || !t.rows.is_constant() || !t.cols.is_constant() || t.count().is(0)) return false;
  if (!is_tabled()) return listed_count() == 0;
  const Slot* column_of_values = column(value_field);
  if (!column_of_values) return true;
  const Type& stack = e_.type(column_of_values->stack.value);
  const auto like = [](Element a, Element b) {
    return (a == Element::logical) == (b == Element::logical) && (a == Element::single) == (b == Element::single);
  };
  return t.rows.is(column_of_values->item_rows) && t.cols.is(column_of_values->item_cols) &&
         (!stack.cols.is_constant() || stack.cols.is(0) || like(stack.element, t.element));
}

void Lowerer::MapView::refuse_key_of_run(const Binding& key) {
  if (key.is_text())
    e_.fail(span_,
            "the run finds the key of this containers.Map, and keys that are strings must be known while the program "
            "is compiled: number the strings, and take a map with 'KeyType', 'double'");
  e_.fail(span_,
          "the run finds the key of this containers.Map, so all of its values must be matrices of one constant shape "
          "and one class");
}

void Lowerer::MapView::store(const Binding& given, const Binding& given_value) {
  require_key_type(given);
  const Binding key = with_key_class(given);
  Binding value = of_value_type(given_value);
  value.defined = {};
  if (!field_of(key)) l_.unroll_where_it_tells(key.value, most_unrolled);
  if (fits_table(key, value)) return store_in_table(key, value, find(key));
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
      made = with_item(made, field_of_number((*numbers)[k]), 0, l_.column_of(*column(value_field), "m", at), {});
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
    const Type& t = e_.type(value.value);
    const ValueId none = b.fill(b.constant(0, Element::integer), 1, 0);
    table.slots.push_back({std::string(key_field), {}, Binding::matrix(none), 1, 1});
    table.slots.push_back({std::string(value_field), {}, Binding::matrix(none), t.rows.constant(), t.cols.constant()});
    table.slots[1].stack = Binding::matrix(b.fill(b.constant(0, e_.type(value.value).element), t.count(), 0));
  }
  Slot &keys = table.slots[0], &values = table.slots[1];
  if (place.known == 0) {  // a key that is new: keys that are known stay so
    const auto appended = [&](const Slot& slot, ValueId item) {
      const Type& t = e_.type(item);
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
    if (fits_type(key)) remove_one(with_key_class(key));
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
        place.found, [&] { put_back(l_.without_struct(contents_, "m", place.position)); }, [] {}, span_);
    contents_ = whole(l_.frame_->env, map_.text);
    return;
  }
  const auto numbers = numbers_of(e_, column(key_field)->stack.value);
  Binding made =
      l_.without_struct(contents_, "m", e_.builder.constant(static_cast<double>(*place.known), Element::integer));
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

/// One key, those in a cell array, or the elements of a matrix.
std::vector<Binding> Lowerer::MapView::each_key(const Binding& keys, std::int64_t& rows, std::int64_t& cols) {
  rows = cols = 1;
  if (keys.kind == Binding::Kind::poisoned) throw LowerError{};
  const bool many = keys.is_matrix() && !e_.type(keys.value).is_scalar();
  if (!keys.is_cell() && !many) return {keys};
  const Type* t = many ? &e_.type(keys.value) : nullptr;
  if (t && (!t->rows.is_constant() || !t->cols.is_constant()))
    e_.fail(span_, "how many keys these are must be known while the program is compiled: write a loop over them");
  const Binding cell = many ? l_.cells_of_elements(keys, span_) : keys;
  rows = cell.aggregate->rows;
  cols = cell.aggregate->cols;
  return cell.aggregate->slots.front().items;
}

Binding Lowerer::MapView::is_key(const Binding& keys) {
  std::int64_t rows = 0, cols = 0;
  std::vector<ValueId> truths;
  const ValueId no = e_.builder.constant(0, Element::logical);
  for (const Binding& key : each_key(keys, rows, cols)) {
    const bool one = !key.is_matrix() || e_.type(key.value).is_scalar();
    const Place place = fits_type(key) && one ? find(with_key_class(key)) : Place{0, {}, {}};
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
    const ValueId here = presence(slot.items.front());
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
    if (e_.constant_of(presence(slot.items.front())) != 1.0)
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

/// The places of the keys of a table in their order.
ValueId Lowerer::MapView::tabled_order(ValueId numbers) {
  if (e_.type(numbers).is_scalar()) return e_.builder.constant(1, Element::integer);
  return l_.call_by_name("sort", {Binding::matrix(numbers)}, 2, span_)[1].value;
}

Binding Lowerer::MapView::column_in_order(std::string_view field) {
  const Size count = count_of(e_, *contents_.aggregate);
  if (!count.is_constant())
    e_.fail(span_,
            "how many keys the containers.Map has is found by the run, and a cell array of them has a length that must "
            "be known: ask isKey(m, key) of each, or keep the keys in a vector of their own");
  std::vector<Binding> items;
  if (count.is(0)) return cell_array(1, 0, {});
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
    const ValueId order = tabled_order(numbers);
    for (std::int64_t k = 0; k < count.constant(); ++k) {
      const Subscripts here{{{SubscriptKind::range, k, 1, 1}}};
      places.push_back(e_.type(order).is_scalar() ? order : e_.builder.index(order, here, {}, 1, 1));
    }
  }
  for (const ValueId place : places) items.push_back(l_.column_of(*column(field), "m", place));
  return cell_array(1, count.constant(), std::move(items));
}

Binding Lowerer::MapView::keys() {
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
  std::vector<Binding> items;
  for (const Binding& key : keys.aggregate->slots.front().items)
    items.push_back(read_or_stop(key, "containers.Map: key <%s> does not exist"));
  return cell_array(keys.aggregate->rows, keys.aggregate->cols, std::move(items));
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
