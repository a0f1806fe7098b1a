// The 5-point Poisson matrix on a square grid, and conjugate gradients on it by Eigen: the peer of the benchmarks.
#pragma once

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <vector>

namespace lac::bench {

using Matrix = Eigen::SparseMatrix<float, Eigen::RowMajor>;

/// kron(I, T) + kron(T, I) with T = tridiag(-1, 2, -1), of order side^2.
inline Matrix poisson(int side) {
  const int order = side * side;
  Matrix matrix(order, order);
  matrix.reserve(Eigen::VectorXi::Constant(order, 5));
  for (int row = 0; row < order; ++row) {
    const int x = row % side, y = row / side;
    if (y > 0) matrix.insert(row, row - side) = -1;
    if (x > 0) matrix.insert(row, row - 1) = -1;
    matrix.insert(row, row) = 4;
    if (x + 1 < side) matrix.insert(row, row + 1) = -1;
    if (y + 1 < side) matrix.insert(row, row + side) = -1;
  }
  matrix.makeCompressed();
  return matrix;
}

/// Exactly `iterations` unpreconditioned CG iterations from x = 0, as Eigen does them.
class EigenCg {
 public:
  EigenCg(const Matrix& matrix, int iterations) {
    solver_.setMaxIterations(iterations);
    solver_.setTolerance(0);
    solver_.compute(matrix);
  }
  Eigen::VectorXf solve(const Eigen::VectorXf& right_side) { return solver_.solve(right_side); }
  int iterations() const { return static_cast<int>(solver_.iterations()); }

 private:
  Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper, Eigen::IdentityPreconditioner> solver_;
};

}  // namespace lac::bench
