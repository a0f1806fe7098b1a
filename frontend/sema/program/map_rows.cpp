// containers.Map with keys that are strings of the run: rows of a stacked array of structs.
#include "frontend/sema/program/map_keys.h"
#include "frontend/sema/program/maps.h"
#include "frontend/sema/program/shared.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {

// A list of keys as rows; nothing where its values are of several kinds, or a branch alone has added one.
std::optional<Binding> Lowerer::map_as_rows(const Binding& contents, Span span) {
  Aggregate none;
  none.stacked = true;
  std::optional<Binding> made = Binding::of(Binding::Kind::record, std::move(none));
  std::int64_t at = 0;
  for (const Slot& slot : contents.aggregate->slots) {
    bool certain = true;
    for_each_leaf(slot.items.front(), "", [&](const std::string&, const Binding& leaf) {
      certain = certain && !leaf.defined && leaf.kind != Binding::Kind::poisoned;
    });
    if (!certain) return std::nullopt;
    const ValueId position = emit_.builder.constant(static_cast<double>(++at), Element::integer);
    const Binding key = Binding::string(text_of_field(slot.name), true);
    made = with_item_at(*made, "m", std::string(key_field), position, key, span);
    if (made) made = with_item_at(*made, "m", std::string(value_field), position, slot.items.front(), span);
    if (!made) return std::nullopt;
  }
  return made;
}

void Lowerer::MapView::store_in_rows(const Binding& key, const Binding& value) {
  Builder& b = e_.builder;
  const auto refuse = [&] {
    if (!field_of(key)) l_.unroll_where_it_tells(key.value, most_unrolled_for_kinds);
    refuse_key_of_run(key);
  };
  if (!is_tabled()) {
    std::optional<Binding> rows = l_.map_as_rows(contents_, span_);
    if (!rows) refuse();
    contents_ = *std::move(rows);
  }
  const Place place = find(key);
  const Size count = count_of(e_, *contents_.aggregate);
  ValueId position = b.size(count + 1);
  if (place.position) position = b.map(ScalarOp::select, {place.found, place.position, position});
  std::optional<Binding> made = contents_;
  for (const auto& [field, item] : {std::pair(key_field, &key), std::pair(value_field, &value)})
    if (made) made = l_.with_item_at(*made, "m", std::string(field), position, *item, span_);
  if (!made) refuse();
  put_back(*std::move(made));
}

/// What all rows have in one field, as a row of cells.
Binding Lowerer::MapView::cells_in_column(std::string_view field) { return l_.cells_of({*column(field), "m"}); }

/// The places of the keys in their order, a row of integers.
ValueId Lowerer::MapView::order_of_keys() {
  const Binding keys =
      kind().is_numeric() ? Binding::matrix(column(key_field)->stack.value) : cells_in_column(key_field);
  const ValueId order = l_.call_by_name("sort", {keys}, 2, span_)[1].value;
  return e_.builder.reshape(order, 1, e_.type(order).count());
}

}  // namespace lac::frontend
