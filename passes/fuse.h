// From ops to kernels, block by block, inner blocks first.
//
// Every op of the block becomes one of
//   - virtual: views, fills, iotas, cheap scalar arithmetic; expanded where they are read, never stored;
//   - a kernel op: elementwise, reduction, product with a vector, update, concat, resize, and a view that someone needs
//     in memory; it goes to a cluster, and each cluster becomes one launch;
//   - a host op: effects, library steps, loops, branches, scans, and scalars that one of those reads.
// Clusters and host ops stand in one total order. A kernel op goes to the earliest cluster of its domain that is not
// before what it needs: it may share a producer's cluster only when it reads the producer at the same point of the
// domain. Ops that are not proven safe never move above the checks that stand before them. See passes/fusion.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool fuse(Graph& graph, PassContext& context);

}  // namespace lac::passes
