#include "frontend/sema/values/nothing.h"

namespace lac::frontend {
namespace {

/// The value that tells how many cells there are.
ValueId counting_value(const Aggregate& cells) {
  const Slot& slot = cells.slots.front();
  if (slot.ragged) return slot.places.value;
  if (slot.stack.is_complex()) return slot.stack.aggregate->slots.front().items.front().value;
  return slot.stack.is_aggregate() && !slot.stack.aggregate->slots.empty() ? counting_value(*slot.stack.aggregate)
                                                                           : slot.stack.value;
}

}  // namespace

void note_nothing(Emitter& e, ValueId row) {
  if (!e.type(row).cols.is_constant()) e.facts.maybe_nothing.insert_or_assign(row, true);
}

bool may_be_nothing(const Emitter& e, ValueId row) { return e.facts.maybe_nothing.count(row) != 0; }

Size rows_or_none(Emitter& e, ValueId row) {
  const Type t = e.type(row);
  return may_be_nothing(e, row) ? e.chosen(e.equal_sizes(t.cols, 0), 0, t.rows) : t.rows;
}

void note_nothing(Emitter& e, const Binding& cells) {
  if (const ValueId value = counting_value(*cells.aggregate)) note_nothing(e, value);
}

bool may_be_nothing(const Emitter& e, const Aggregate& cells) {
  if (!cells.stacked || cells.slots.empty()) return false;
  const ValueId value = counting_value(cells);
  return value && may_be_nothing(e, value);
}

}  // namespace lac::frontend
