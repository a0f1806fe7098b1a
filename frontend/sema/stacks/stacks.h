// Stacked structs and cells: rows of elements of which the run finds how many there are. A row is a leaf with a column
// for each element, a complex value with two such parts, or an aggregate that is stacked itself. Elements with extents
// of their own are ragged: they lie one behind the other in a row, and `places` tells rows, columns and where each
// begins. All functions make new rows; positions count from 0.
#pragma once

#include "frontend/sema/stacks/stack_form.h"

namespace lac::frontend {

/// How many elements the row has.
Size row_count(Emitter& e, const Binding& row);
/// A row of that form without elements.
Binding empty_row(Emitter& e, const RowForm& form);
/// The row in a form that `joined_form` has made of its own and another one.
Binding row_like(Emitter& e, const Binding& row, const RowForm& form);
/// An aggregate whose elements are known as a row of that form.
Binding row_of(Emitter& e, const Binding& aggregate, const RowForm& form);
/// Of structs with one element: that struct. Where `there` is given and does not hold there is none, and what comes
/// back holds zeros and nothing.
Binding row_single(Emitter& e, const Binding& row, ValueId there = {});
Binding row_slice(Emitter& e, const Binding& row, const Size& first, const Size& count);
/// Rows of one form, the second behind the first.
Binding row_joined(Emitter& e, const Binding& first, const Binding& second);

/// Rows and columns of element `at`.
AggregateExtents item_extents(Emitter& e, const Slot& slot, const Size& at);
/// What element `at` holds there; `there` as in row_single. Binding::given says whether it was given, where some are
/// not.
Binding slot_item(Emitter& e, const Slot& slot, const Size& at, ValueId there = {});
/// Whether element `at` of a ragged slot is of the class of the others; whether all are.
ValueId given_at(Emitter& e, const Slot& slot, const Size& at);
ValueId all_given(Emitter& e, const Slot& slot);
/// The places of parts that all were given, of which a matrix has rows, columns and where they begin.
Binding places_of_given(Emitter& e, ValueId extents);
Slot slot_like(Emitter& e, const Slot& slot, const SlotForm& form);
/// These elements, of a form that takes all of them.
Slot slot_of_items(Emitter& e, const SlotForm& form, const std::vector<Binding>& items);
Slot slot_joined(Emitter& e, const Slot& first, const Slot& second);
Slot slot_slice(Emitter& e, const Slot& slot, const Size& first, const Size& count);
/// With the one element of `value`, which is of the same form, in the place of element `at`.
Slot slot_replaced(Emitter& e, const Slot& slot, const Size& at, const Slot& value);
Slot slot_without(Emitter& e, const Slot& slot, const Size& at);
/// With so many elements, which are not fewer: those that are new hold [].
Slot slot_padded(Emitter& e, const Slot& slot, const Size& count);
/// Of the elements at `positions` of a ragged slot with these places: where in its row they lie, from 1 on
/// (library/index_by_places.la).
using Gatherer = std::function<ValueId(ValueId places, ValueId positions)>;
/// The elements at these positions, a row of integers from 1 on.
Binding row_gathered(Emitter& e, const Binding& row, ValueId positions, const Gatherer& gatherer);
Slot slot_gathered(Emitter& e, const Slot& slot, ValueId positions, const Gatherer& gatherer);

}  // namespace lac::frontend
