// Deletion of elements: x(i) = [], A(i, :) = [], A(:, j) = [].
#pragma once

#include "frontend/sema/values/subscripts.h"

namespace lac::frontend {

/// The value without the elements that the subscripts pick; they were resolved for SubscriptUse::remove.
ValueId without(Emitter& e, ValueId value, const ResolvedSubscripts& resolved);

}  // namespace lac::frontend
