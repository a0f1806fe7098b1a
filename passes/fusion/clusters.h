// Second step of fusion: which kernel ops share a kernel, and where kernels and host ops stand.
#pragma once

#include <map>
#include <vector>

#include "passes/fusion/roles.h"

namespace lac::passes {

/// One place in the block's order: a cluster (one kernel) or a host op.
struct Node {
  Domain domain;
  std::vector<OpId> ops;  ///< of a cluster, in program order; empty when all have moved on
  OpId host;              ///< of a host op
  bool is_cluster() const { return !host.valid(); }
};

/// A matrix read by a kernel op, normalised.
struct Leaf {
  ValueId root;
  Access access;
};

struct Clustering {
  std::vector<Node> nodes;
  /// Scalar-role ops with the node after which they stand (-1: first), in program order.
  std::vector<std::pair<OpId, int>> scalars;
  std::map<ValueId, int> cluster_of;  ///< of the results of kernel ops
  std::map<OpId, std::vector<Leaf>> leaves;
  std::map<OpId, std::vector<ValueId>> scalar_inputs;
};

Clustering cluster(const Graph& graph, BlockId block, const Reader& reader, const Roles& roles,
                   const Capabilities& capabilities, OuterUses& outer);

/// The results of a kernel op that others may read at the same point of the domain inside its kernel.
bool shares_result(const Graph& graph, const Op& op);

/// Values of clusters that need memory: read by a host op or by another cluster, and reduced or updated ones.
std::unordered_set<ValueId> stored_values(const Graph& graph, const Clustering& clustering, const Roles& roles);

}  // namespace lac::passes
