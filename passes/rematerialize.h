#pragma once

#include "passes/pass.h"

namespace lac::passes {

/// Matrices that a loop only reads, made before it by elementwise operations from others that it reads as well, are
/// computed in it where that takes no longer than reading one more matrix.
bool rematerialize(Graph& graph, PassContext& context);

}  // namespace lac::passes
