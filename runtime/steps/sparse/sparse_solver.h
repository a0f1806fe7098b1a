// Direct solution of sparse systems. The method follows the structure, as in Octave: diagonal, triangular, banded
// (LAPACK), symmetric with a positive diagonal (Cholesky), LU with partial pivoting; least squares by QR where A is not
// square or turns out singular. All in double.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace lac::runtime {

class SparseSolver {
 public:
  /// Factors A once.
  explicit SparseSolver(const Tensor& a);
  ~SparseSolver();
  SparseSolver(const SparseSolver&) = delete;
  SparseSolver& operator=(const SparseSolver&) = delete;

  /// Whether a square A had an exactly zero pivot; solutions are those of least squares then.
  bool singular() const;
  /// x of A x = b for a dense b of doubles with A's rows.
  Tensor solve(const Tensor& b) const;

 private:
  struct Method;
  std::unique_ptr<Method> method_;
};

/// The determinant of a square matrix, by LU.
double determinant_sparse(const Tensor& a);

struct SparseCholesky {
  Tensor upper;               ///< csr, n x n: the rows of R with R'*R = A that exist, then rows of zeros
  std::int64_t rows = 0;      ///< how many exist: fewer than n where A is not positive definite
  std::vector<double> order;  ///< from 1
};
/// Of A(order, order); reads the upper triangle of A alone. `reorder`: to keep R sparse, else order is 1, 2, ....
SparseCholesky cholesky_sparse(const Tensor& a, bool reorder);

struct SparseLu {
  Tensor lower, upper;                  ///< csr
  std::vector<double> row_order, cols;  ///< from 1: A(row_order, cols) = lower * upper
};
/// Of a square matrix. `reorder`: columns are permuted to keep the factors sparse, else cols is 1, 2, ....
/// Nothing where a pivot is exactly zero.
std::optional<SparseLu> lu_sparse(const Tensor& a, bool reorder);

}  // namespace lac::runtime
