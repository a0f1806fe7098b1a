// What a stencil computes anew at each neighbour it reads, and stores, is computed once: by a nest of the kernel that
// runs ahead of the stencil's.
//
//     p' = r + beta*p                              nest: p'[i, j] = r[i, j] + beta*p[i, j],  x[i, j] = ...
//     s = sum(p' .* (4*p'[i, j] - p'[i - 1, j] ...))  ->  nest, a column behind: the sum, of what the first has stored
//
// One launch as before, and no more words of memory: the columns in between stay in a cache. And p' may be stored over
// p now, which nobody reads at another place any more.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool split_stencils(Graph& graph, PassContext& context);

}  // namespace lac::passes
