// Questions about the structure of a matrix. Dense: O(rows * cols); sparse: O(stored) unless said otherwise.
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// The number of non-zero values (NaN counts), as Octave's nnz.
std::int64_t count_nonzeros(const Tensor& a);

struct Asymmetry {
  std::int64_t row = 0;  ///< from 0
  std::int64_t col = 0;
  double value = 0.0;       ///< A(row, col)
  double transposed = 0.0;  ///< A(col, row)
};
/// The first pair (row by row) with |A(i, j) - A(j, i)| > tolerance * max(|A(i, j)|, |A(j, i)|); with tolerance 0 that
/// is inequality. Nothing when there is none. NaN is unequal to everything. A must be square. CSR: O(nnz) by one sweep
/// over the transpose.
std::optional<Asymmetry> find_asymmetry(const Tensor& a, double tolerance = 0.0);
inline bool is_symmetric(const Tensor& a) { return a.rows() == a.cols() && !find_asymmetry(a); }

struct Bandwidth {
  std::int64_t lower = 0;  ///< largest i - j with A(i, j) != 0, at least 0
  std::int64_t upper = 0;  ///< largest j - i
};
Bandwidth bandwidth(const Tensor& a);

/// The first row (from 0) whose diagonal entry is not positive: a cheap disproof of a claim `spd`.
std::optional<std::int64_t> find_nonpositive_diagonal(const Tensor& a);

}  // namespace lac::runtime
