// Graphs as graphviz pictures.
#pragma once

#include <string>

#include "ir/graph/graph.h"

namespace lac {

/// A digraph: a node for each op (effects are boxes), an edge for each use of a value, a cluster for each loop and for
/// each side of a branch. What a block yields flows back to the node of its op by dashed edges.
std::string dot(const Graph& graph);

}  // namespace lac
