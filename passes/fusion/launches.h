// Launches of kernels in the Graph.
#pragma once

#include <vector>

#include "ir/graph/graph.h"
#include "passes/fusion/nests.h"

namespace lac::passes {

/// A launch in no block yet; the values, which exist, become its results.
OpId make_launch(Graph& graph, Kernel kernel, std::vector<ValueId> operands, std::vector<ValueId> results,
                 LocationId location);

/// Kernels in program order, those of dropped launches gone.
void renumber_kernels(Graph& graph);

/// Where a second launch with these operands finds each of them, for join(): among the results of a first one, among
/// its operands, or nowhere there; `operands` of the first get what is nowhere there.
std::vector<InputOrigin> join_operands(const std::vector<ValueId>& results, std::vector<ValueId>& operands,
                                       const std::vector<ValueId>& of_second);

}  // namespace lac::passes
