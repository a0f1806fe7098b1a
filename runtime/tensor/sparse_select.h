// Parts of sparse matrices, and sparse matrices out of parts. Positions are from 1, as programs write them; a position
// out of range selects nothing (programs have checked theirs before). Results are csr and hold no zeros.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// A(positions, :). O(entries of those rows).
Tensor select_rows(const Tensor& a, const Tensor& positions);
/// A(:, positions). O(stored + cols).
Tensor select_columns(const Tensor& a, const Tensor& positions);
/// A(positions) by column-major positions, as a rows x cols matrix. O(log) each.
Tensor select_elements(const Tensor& a, const Tensor& positions, std::int64_t rows, std::int64_t cols);

/// The same entries in column-major order under another shape with as many elements.
Tensor reshape_sparse(const Tensor& a, std::int64_t rows, std::int64_t cols);
/// The entries with first <= col - row <= last; diagonal storage keeps its storage.
Tensor select_band(const Tensor& a, double first, double last);
/// The square matrix with the vector v on diagonal k.
Tensor sparse_on_diagonal(const Tensor& v, std::int64_t k);

/// Side by side (rows must agree) and below one another (cols must agree); any storages.
Tensor join_columns(const std::vector<Tensor>& parts, Element element);
Tensor join_rows(const std::vector<Tensor>& parts, Element element);

/// A grown to rows x cols, then A(row_positions, col_positions) = value, which is 1x1 or holds one element for each
/// place in column-major order; of repeated places the last wins. O(stored + places log places).
Tensor assign_region(const Tensor& a, std::int64_t rows, std::int64_t cols, const Tensor& row_positions,
                     const Tensor& col_positions, const Tensor& value, Element element);
/// The same for A(positions) = value by column-major positions in the grown matrix.
Tensor assign_elements(const Tensor& a, std::int64_t rows, std::int64_t cols, const Tensor& positions,
                       const Tensor& value, Element element);
/// A grown to rows x cols, then for each of the first `count` columns (i, j, v, adds) of `list`, in their order:
/// A(i, j) = v, or A(i, j) + v where adds is not 0, rounded to A's element. O(stored + count log count).
Tensor assign_list(const Tensor& a, std::int64_t rows, std::int64_t cols, const Tensor& list, std::int64_t count);

}  // namespace lac::runtime
