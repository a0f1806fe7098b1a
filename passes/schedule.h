// Decides traversal and block of every kernel (Schedule in ir/kernel/kernel.h).
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool schedule(Graph& graph, PassContext& context);

}  // namespace lac::passes
