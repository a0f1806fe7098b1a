// Kernels that extend a matrix. Where nobody needs the old one any more, a target may extend its buffer in place of
// running them.
#pragma once

#include "ir/graph/graph.h"

namespace lac {

/// Whether the kernel does nothing but copy its input and put zeros around it: below its rows, behind its columns.
bool extends(const Kernel& kernel);

/// Whether the op is a launch of such a kernel that consumes the old matrix (`reuse (0)`): the result is in its buffer
/// where that has the room, else in a larger one.
bool is_growth(const Graph& graph, const Op& op);

}  // namespace lac
