// Products with matrices of known diagonals become sums of shifted elementwise products.
//
//     A = kron(I, T) + kron(T, I), T = spdiags([-e 2*e -e], -1:1, n, n)
//     q = A*p      ->  with P = reshape(p, n, n), at (i, j):
//     4*P(i, j) - (i > 1 ? P(i-1, j) : 0) - (i < n ? P(i+1, j) : 0) - (j > 1 ? P(i, j-1) : 0) - (j < n ? P(i, j+1) : 0)
//
// No matrix is in memory then; diagonals of equal elements are numbers. As in the product of the stored matrix a zero
// on a diagonal contributes nothing, and what stands in one row is added from left to right.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool diagonals(Graph& graph, PassContext& context);

}  // namespace lac::passes
