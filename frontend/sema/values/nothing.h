// Rows that are 0x0 where they have no elements, as [s.f] is: held as 1x0, which tells as much but for size and
// display.
#pragma once

#include "frontend/sema/values/aggregate.h"

namespace lac::frontend {

void note_nothing(Emitter& e, ValueId row);
bool may_be_nothing(const Emitter& e, ValueId row);
/// How many rows it has, none where it has no elements.
Size rows_or_none(Emitter& e, ValueId row);

/// The same of cells that are stacked: {s.f}.
void note_nothing(Emitter& e, const Binding& cells);
bool may_be_nothing(const Emitter& e, const Aggregate& cells);

}  // namespace lac::frontend
