// Launches of kernels in the Graph.
#pragma once

#include <vector>

#include "ir/graph/graph.h"

namespace lac::passes {

/// A launch in no block yet; the values, which exist, become its results.
OpId make_launch(Graph& graph, Kernel kernel, std::vector<ValueId> operands, std::vector<ValueId> results,
                 LocationId location);

/// Kernels in program order, those of dropped launches gone.
void renumber_kernels(Graph& graph);

}  // namespace lac::passes
