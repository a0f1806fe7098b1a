// Drops ops without effect whose results nothing observes, and carried values and branch results that nothing reads.
// Parameters stay. A loop without effects whose results are unused goes too. Of a matrix that goes, a check of its size
// stays (dropped_sizes.h).
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool dce(Graph& graph, PassContext& context);

}  // namespace lac::passes
