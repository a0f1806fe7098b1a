// Library steps on matrices whose pattern is found at run time. Results have element arithmetic_join(a, b); arithmetic
// is done in the result's C++ type, so single rounds every operation. Shapes must fit: callers have checked them.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// The transpose, in the same storage.
Tensor transpose(const Tensor& a);

/// A + B and A - B for sparse operands: diagonal when both are, else csr. An entry that cancels to zero is dropped from
/// csr, as in Octave.
Tensor add_sparse(const Tensor& a, const Tensor& b);
Tensor subtract_sparse(const Tensor& a, const Tensor& b);

/// A * B for sparse operands: Gustavson's row by row algorithm, O(flops + rows); diagonal when both are (offsets add).
/// Sums run in ascending order of the inner index.
Tensor multiply_sparse(const Tensor& a, const Tensor& b);

/// The Kronecker product. Dense if both are dense; diagonal if both are diagonal and B is square; else csr.
Tensor kron(const Tensor& a, const Tensor& b);

/// The k-th diagonal (k > 0 above the main one) as a dense column; 0x1 where there is none.
Tensor diagonal_of(const Tensor& a, std::int64_t k);
/// The square matrix with the vector `v` on its k-th diagonal: Octave's diag(v, k), in dense or diagonal storage.
Tensor diagonal_matrix(const Tensor& v, std::int64_t k, Storage storage);

/// Octave's spdiags(B, d, m, n): column c of B goes to diagonal d[c] of an m x n matrix in diagonal storage. Row r of B
/// lands in matrix column r where m >= n, in matrix row r where m < n; what falls outside is ignored. Equal offsets
/// add.
Tensor spdiags(const Tensor& columns, const std::vector<std::int64_t>& offsets, std::int64_t rows, std::int64_t cols);
/// Octave's spdiags(A, d): the inverse, min(rows, cols) x numel(d), dense.
Tensor extract_diagonals(const Tensor& a, const std::vector<std::int64_t>& offsets);

}  // namespace lac::runtime
