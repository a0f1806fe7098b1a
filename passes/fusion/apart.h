// Why kernels that hand a matrix on through memory are not one.
#pragma once

#include <unordered_set>
#include <vector>

#include "passes/fusion/clusters.h"
#include "passes/pass.h"

namespace lac::passes {

/// Of each two clusters the first matrix between them, in the order of the text; the same matrix for the same reason
/// once.
std::vector<Apart> why_apart(const Graph& graph, BlockId block, const Clustering& clustering,
                             const std::unordered_set<ValueId>& stored, const Capabilities& limits);

}  // namespace lac::passes
