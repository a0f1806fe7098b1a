// What a product with a csr matrix in a loop reads is made by a nest of the product's own kernel.
//
//     p' = r + beta*p                        nest: p'[i] = r[i] + beta*p[i],  x[i] = ...
//     q = A*p', s = p''*q               ->   nest, behind it: q[i] = sum over the entries of row i of a*p'[k], s
//
// How far behind is what the run finds: no entry of A is farther from the diagonal than that (Contraction::reach), of
// which a library step tells outside of the loop. Where that is little, p' is still in a cache when the product reads
// it.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool follow_products(Graph& graph, PassContext& context);

}  // namespace lac::passes
