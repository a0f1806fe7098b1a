// Removes the checks of a function's domain (ir/graph/warning_ids.h) that can never speak: the square root of a sum of
// squares. What is true of the values that loops carry is found by trying what they start with against what their trips
// make.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool silent_checks(Graph& graph, PassContext& context);

}  // namespace lac::passes
