#include "frontend/sema/program/maps.h"

#include <algorithm>
#include <numeric>

#include "frontend/sema/program/map_keys.h"
#include "frontend/sema/program/shared.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/operators.h"
#include "frontend/sema/values/strings.h"
#include "ir/support/character.h"

namespace lac::frontend {
namespace {

constexpr const char* missing_key = "containers.Map: specified key <%s> does not exist";

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
    for (const double code : *codes) text += character_of(code);
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
    return {at - slots.begin() + 1, {}, presence(*at)};
  }
  const Slot* keys = column(key_field);
  if (!keys || count_of(e_, *keys).is(0)) return {0, {}, {}};
  if (has_rows()) return find_by_run(key);
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
    const ValueId same = has_rows()
                             ? l_.call_by_name("strcmp", {cells_in_column(key_field), key}, 1, span_).front().value
                             : binary(e_, ast::BinaryOp::equal, column(key_field)->stack.value, key.value, span_);
    if (e_.type(same).is_scalar()) {
      position = b.convert(same, Element::integer);
    } else {
      const ValueId places = b.map(ScalarOp::add, b.iota(Axis::cols, 1, e_.type(same).cols), one);
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
      const ValueId here = b.map(ScalarOp::logical_and, same, presence(slot));
      position = b.map(ScalarOp::select, {here, b.constant(static_cast<double>(at), Element::integer), position});
    }
  }
  return {std::nullopt, position, b.map(ScalarOp::ge, position, one)};
}

/// Whether what a field of a list holds is there: an arm of a branch alone may have added it.
ValueId Lowerer::MapView::presence(const Slot& entry) const {
  for_each_leaf(entry.items.front(), "", [&](const std::string&, const Binding& leaf) {
    if (leaf.kind == Binding::Kind::poisoned && !leaf.poison.empty()) e_.fail(span_, leaf.poison);
  });
  return presence_of(e_, entry);
}

// The words of an error, in which the key stands as disp shows it.
void Lowerer::MapView::stop_as_missing(const Binding& key, const std::string& format) {
  const std::optional<std::string> field = field_of(key);
  if (field)
    l_.stop(span_, replaced(format, key.is_text() ? text_of_field(*field) : shown_key(number_of_field(*field))));
  e_.at(span_);
  const ValueId never = e_.builder.constant(0, Element::logical);
  if (key.is_text()) e_.require(never, "containers.Map: the specified key does not exist", {});
  else e_.require(never, replaced(format, "%g"), {key.value});
  throw Unreachable{};
}

Binding Lowerer::MapView::read(const Binding& given) {
  const Binding key = as_key(given);
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
  if (is_tabled()) {
    const ValueId position =
        place.known ? e_.builder.constant(static_cast<double>(*place.known), Element::integer) : place.position;
    return l_.item_at(contents_, *column(value_field), "m", position);
  }
  const auto item = [&](std::int64_t k) { return as_present(contents_.aggregate->slots[static_cast<std::size_t>(k)]); };
  if (place.known) return item(*place.known - 1);
  std::vector<std::int64_t> all(static_cast<std::size_t>(listed_count()));
  std::iota(all.begin(), all.end(), 0);
  return l_.element_chosen(all, place.position, item);
}

}  // namespace lac::frontend
