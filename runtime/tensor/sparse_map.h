// Scalar functions on sparse matrices. Results hold no zeros; single results are rounded once.
#pragma once

#include "ir/scalar/scalar_op.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// f(A) in csr, or in A's storage where f(0) = 0. O(stored) then, else O(rows * cols).
Tensor map_sparse(ScalarOp op, Element element, const Tensor& a);

/// f(A, B) for operands of one shape, or one of them 1x1; at least one is sparse. Products and quotients with a 1x1,
/// and products of two sparse matrices, look at stored entries only, as in Octave: there 0 * Inf does not arise. All
/// else is as for full matrices, save that a power with a zero base is 1, whatever the exponent: so it is in Octave.
/// O(stored) where the result is zero wherever the sparse operands are, else O(rows * cols).
Tensor map_sparse(ScalarOp op, Element element, const Tensor& a, const Tensor& b);

}  // namespace lac::runtime
