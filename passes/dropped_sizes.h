// What is left of a matrix that nobody reads: that its size is one.
//
// A matrix beyond the limit of ir/types/extent.h is an error of the program, whether or not something reads it; a graph
// without it would go on, and show its size.
#pragma once

#include <functional>

#include "ir/graph/graph.h"

namespace lac::passes {

/// Puts a `check` in front of every op of the body that makes a matrix larger than what it is made of (fill, iota over
/// both axes, resize, concat, an index by positions, kron) and is not `live`, unless such a matrix is known to be
/// possible. True if it put one. Ops in loops and branches are left out: whether they run is not known here.
bool check_dropped_sizes(Graph& graph, const std::function<bool(OpId)>& live);

}  // namespace lac::passes
