// Kernels that extend a matrix, or leave out its end. Where nobody needs the old one any more, a target may extend its
// buffer, or forget what lies at its end, in place of running them.
#pragma once

#include "ir/graph/graph.h"

namespace lac {

/// Whether the kernel does nothing but copy its input and put zeros around it: below its rows, behind its columns.
bool extends(const Kernel& kernel);

/// Whether the kernel does nothing but copy what comes first in the memory of its input, in any shape: the first
/// elements of a vector, the first columns of a matrix.
bool takes_first(const Kernel& kernel);

/// Whether the op is a launch of such a kernel that consumes the old matrix (`reuse (0)`): the result is in its buffer
/// where that has the room, else in a larger one.
bool is_growth(const Graph& graph, const Op& op);

}  // namespace lac
