// Straight code: what stands in the program itself and calls nobody, unless it fails or a matrix grows. On the CPU its
// launches are scalar code in place, and the runtime hears of its loops' trips only when it must.
#pragma once

#include "ir/graph/graph.h"

namespace lac {

/// Of a plan: a launch of one point that stores in place, scalar arithmetic, a check, a resize in place; a loop or a
/// branch of nothing else.
bool is_straight(const Graph& plan, const Op& op);

}  // namespace lac
