// Reductions of sparse matrices. What is not stored counts as zero.
#pragma once

#include "ir/graph/attributes.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// Along the rows (1 x cols) or the columns (rows x 1), in csr. min and max skip NaN. O(stored + rows + cols).
Tensor reduce_sparse(ReduceOp op, Axis axis, Element element, const Tensor& a);

enum class SparseNorm : std::uint8_t { one, infinity, frobenius };
/// Largest column sum, largest row sum, or root of the sum of squares (free of overflow); NaN where an entry is.
double norm_sparse(const Tensor& a, SparseNorm kind);

/// Whether the values are the same as of the transpose, NaN being equal to nothing.
bool is_symmetric_sparse(const Tensor& a);

}  // namespace lac::runtime
