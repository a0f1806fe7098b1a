// Which ops may run before the checks that stand in front of them, and where the program would not have run them.
#pragma once

#include <vector>

#include "ir/graph/graph.h"

namespace lac::passes {

/// True if the op reads in range whatever happened before: shapes fit and subscripts are in range by proof, not because
/// a `check` before it said so. Only such ops may move above a check or out of a loop.
bool is_safe_anywhere(const Graph& graph, const Op& op);

/// Adds the extents of a value at hand and, if it is dense, how many elements it has: the program has got memory for
/// them, and none is below zero.
void hold(const Type& type, std::vector<Size>& held);

/// True if the results can be made where the program would not have got to the op: none has an extent below zero there,
/// nor takes more memory than a matrix of `held` elements, for one of these counts, or a small one.
bool can_be_made_early(const Graph& graph, const Op& op, const std::vector<Size>& held);

/// True if the op, or one inside its blocks, may stop the program or be seen to run: an effect, or a library step that
/// fails or warns.
bool may_stop(const Graph& graph, const Op& op);

/// True for library steps that neither fail nor warn on operands of the right shape.
bool is_quiet(LibraryFn fn);

/// True if the op, or one inside its blocks, has an effect that must stay in order.
bool has_effect(const Graph& graph, const Op& op);

}  // namespace lac::passes
