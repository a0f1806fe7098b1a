// Third step of fusion: the body of one kernel.
#pragma once

#include <unordered_set>
#include <vector>

#include "passes/fusion/clusters.h"

namespace lac::passes {

struct BuiltKernel {
  Kernel kernel;
  std::vector<ValueId> inputs;   ///< the operands of the launch
  std::vector<ValueId> outputs;  ///< its results
};

/// The kernel of a cluster. `stored` are the values that must leave it.
BuiltKernel build_kernel(const Graph& graph, const Node& cluster, const Reader& reader,
                         const std::unordered_set<ValueId>& stored);

}  // namespace lac::passes
