// Lets kernels that read one matrix go over it together, strip by strip: `A'*(A*x)` reads A once, and so does
// `x ./ sum(x, 2)`. What stands between them and waits for the one before the other is joined too.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool join_nests(Graph& graph, PassContext& context);

}  // namespace lac::passes
