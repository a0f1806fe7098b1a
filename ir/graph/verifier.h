// The invariants of a Graph. They are listed at the top of verifier.cpp.
#pragma once

#include <string>
#include <vector>

#include "ir/graph/graph.h"

namespace lac {

/// One sentence for each violation, with the op's text; empty is fine.
std::vector<std::string> verify(const Graph& graph);

}  // namespace lac
