// Moves pure ops whose operands are defined outside a loop in front of it. What could fail or warn stays: subscripts
// that are not proven to be in range (their check is inside), library steps that can fail, and what may take more
// memory than the program has got by then, unless a trip is certain: a loop without trips needs none.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool licm(Graph& graph, PassContext& context);

}  // namespace lac::passes
