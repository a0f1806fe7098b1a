// Scalar ops of constants become constants, sizes of constants too; a loop that makes no trip becomes its initial
// values, a branch on a constant becomes the block taken.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool constant_fold(Graph& graph, PassContext& context);

}  // namespace lac::passes
