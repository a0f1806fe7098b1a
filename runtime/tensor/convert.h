// Tensors from and to other storages and elements. Values are kept exactly unless the element narrows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// One entry of a matrix, indices from 0.
struct Triplet {
  std::int32_t row = 0;
  std::int32_t col = 0;
  double value = 0.0;
};

/// CSR from entries in any order, O(nnz + rows + cols). Duplicates are added in the order given (single: rounded once,
/// at the end). Entries whose value is zero are kept: they are part of the pattern. Indices must be in range.
Tensor csr_from_triplets(Element element, std::int64_t rows, std::int64_t cols, const std::vector<Triplet>& entries);
/// The stored entries row by row; from dense and diagonal storage only the non-zero ones.
std::vector<Triplet> to_triplets(const Tensor& a);

Tensor to_element(const Tensor& a, Element element);
Tensor to_dense(const Tensor& a);
/// From dense and diagonal storage zeros are dropped.
Tensor to_csr(const Tensor& a);
/// Diagonal storage, or nothing when A has more than `max_diagonals` non-zero diagonals.
std::optional<Tensor> to_diagonal(const Tensor& a, std::int64_t max_diagonals);
Tensor to_storage(const Tensor& a, Storage storage);

/// The offsets of the diagonals on which `a` has a stored (dense: non-zero) entry, ascending. O(stored + rows + cols).
std::vector<std::int64_t> diagonal_offsets(const Tensor& a);

/// Whether diagonal storage pays for this CSR matrix: diagonals * rows <= 1.5 * nnz (it then moves at most as many
/// bytes as CSR with its 4-byte indices, and streams), and at most 512 diagonals. Never for an empty matrix.
bool pays_as_diagonal(const Tensor& csr);
/// The matrix in the storage that serves it best: csr becomes diagonal where that pays, else unchanged.
Tensor detect_storage(const Tensor& a);

}  // namespace lac::runtime
