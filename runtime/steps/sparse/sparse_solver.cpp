#include "runtime/steps/sparse/sparse_solver.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "runtime/steps/dense/lapack.h"
#include "runtime/steps/sparse/eigen_sparse.h"
#include "runtime/steps/sparse/matching.h"

// After eigen_sparse.h, which says under which licence.
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <Eigen/SparseQR>

namespace lac::runtime {
namespace {

using Solve = std::function<EigenDense(const EigenDense&)>;
using Lapack = lapack::Functions<double>;

struct Structure {
  int lower = 0, upper = 0;  ///< bandwidths
  bool zero_on_diagonal = false, positive_diagonal = true, symmetric = false, finite = true;
};

Structure structure_of(const EigenColumns& a) {
  Structure s;
  for (int j = 0; j < a.cols(); ++j) {
    const double pivot = j < a.rows() ? a.coeff(j, j) : 0;
    s.zero_on_diagonal = s.zero_on_diagonal || pivot == 0;
    s.positive_diagonal = s.positive_diagonal && pivot > 0;
    for (EigenColumns::InnerIterator e(a, j); e; ++e) {
      s.lower = std::max(s.lower, static_cast<int>(e.row()) - j);
      s.upper = std::max(s.upper, j - static_cast<int>(e.row()));
      s.finite = s.finite && std::isfinite(e.value());
    }
  }
  if (a.rows() != a.cols() || !s.positive_diagonal || s.lower != s.upper) return s;
  const EigenColumns turned = a.transpose();
  s.symmetric = std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.cols() + 1, turned.outerIndexPtr()) &&
                std::equal(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros(), turned.innerIndexPtr()) &&
                std::equal(a.valuePtr(), a.valuePtr() + a.nonZeros(), turned.valuePtr());
  return s;
}

/// Diagonal A; where a pivot is zero so is the solution.
Solve divide(const EigenColumns& a) {
  const Eigen::VectorXd pivots = a.diagonal();
  return [pivots](const EigenDense& b) {
    EigenDense x = b;
    for (Eigen::Index j = 0; j < x.cols(); ++j)
      for (Eigen::Index i = 0; i < x.rows(); ++i) x(i, j) = pivots(i) == 0 ? 0 : x(i, j) / pivots(i);
    return x;
  };
}

template <unsigned Triangle>
Solve substitute(const EigenColumns& a) {
  return [a](const EigenDense& b) { return EigenDense(a.template triangularView<Triangle>().solve(b)); };
}

/// Octave takes LAPACK's band solvers where the band is more than half full.
bool is_banded(const EigenColumns& a, const Structure& s) {
  const double band = (1.0 + s.lower + s.upper) * static_cast<double>(a.cols()) - 0.5 * (s.lower + 1.0) * s.lower -
                      0.5 * (s.upper + 1.0) * s.upper;
  return static_cast<double>(a.nonZeros()) > 0.5 * band;
}

std::optional<Solve> factor_band_positive(const EigenColumns& a, const Structure& s) {
  const int n = static_cast<int>(a.cols()), width = s.lower;
  EigenDense band = EigenDense::Zero(width + 1, n);  // the lower triangle
  for (int j = 0; j < n; ++j)
    for (EigenColumns::InnerIterator e(a, j); e; ++e)
      if (e.row() >= j) band(e.row() - j, j) = e.value();
  if (Lapack::pbtrf('L', n, width, band.data(), width + 1) != 0) return std::nullopt;
  return [band, n, width](const EigenDense& b) {
    EigenDense x = b;
    Lapack::pbtrs('L', n, width, static_cast<int>(x.cols()), band.data(), width + 1, x.data(), n);
    return x;
  };
}

std::optional<Solve> factor_band(const EigenColumns& a, const Structure& s) {
  const int n = static_cast<int>(a.cols()), leading = 2 * s.lower + s.upper + 1;
  EigenDense band = EigenDense::Zero(leading, n);
  for (int j = 0; j < n; ++j)
    for (EigenColumns::InnerIterator e(a, j); e; ++e) band(s.lower + s.upper + e.row() - j, j) = e.value();
  std::vector<int> pivots(static_cast<std::size_t>(n));
  if (Lapack::gbtrf(n, n, s.lower, s.upper, band.data(), leading, pivots.data()) != 0) return std::nullopt;
  return [band, pivots, s, n, leading](const EigenDense& b) {
    EigenDense x = b;
    Lapack::gbtrs('N', n, s.lower, s.upper, static_cast<int>(x.cols()), band.data(), leading, pivots.data(), x.data(),
                  n);
    return x;
  };
}

std::optional<Solve> factor_positive(const EigenColumns& a) {
  const auto factor = std::make_shared<Eigen::SimplicialLLT<EigenColumns, Eigen::Lower>>();
  factorise(*factor, a);
  if (factor->info() != Eigen::Success) return std::nullopt;
  return [factor](const EigenDense& b) { return EigenDense(factor->solve(b)); };
}

std::optional<Solve> factor_full(const EigenColumns& a) {
  const auto factor = std::make_shared<Eigen::SparseLU<EigenColumns, Eigen::COLAMDOrdering<int>>>();
  factorise(*factor, a);
  if (factor->info() != Eigen::Success) return std::nullopt;
  return [factor, a](const EigenDense& b) {  // one step of refinement, as UMFPACK makes
    EigenDense x = factor->solve(b);
    poll_stop();
    const EigenDense rest = b - a * x;
    if (rest.allFinite()) x += factor->solve(rest);
    return x;
  };
}

using Qr = Eigen::SparseQR<EigenColumns, Eigen::COLAMDOrdering<int>>;

/// Least squares with zeros for the columns that depend on others.
Solve basic_least_squares(const EigenColumns& a) {
  const auto factor = std::make_shared<Qr>();
  factorise(*factor, a);
  return [factor](const EigenDense& b) { return EigenDense(factor->solve(b)); };
}

/// Least squares of minimum norm, dense.
Solve minimum_norm_dense(const EigenColumns& a) {
  const EigenDense full = a;
  return [full](const EigenDense& b) {
    EigenDense from = full, x = EigenDense::Zero(std::max(full.rows(), full.cols()), b.cols());
    x.topRows(b.rows()) = b;
    std::vector<double> singular_values(static_cast<std::size_t>(std::min(full.rows(), full.cols())));
    int rank = 0;
    const auto m = static_cast<int>(full.rows()), n = static_cast<int>(full.cols());
    if (m > 0 && n > 0 && b.cols() > 0)
      Lapack::gelsd(m, n, static_cast<int>(b.cols()), from.data(), m, x.data(), static_cast<int>(x.rows()),
                    singular_values.data(), -1, &rank);
    return EigenDense(x.topRows(n));
  };
}

/// Of a wide matrix of full rank: A' = Q R, x = Q R'^-1 b.
Solve minimum_norm_wide(const EigenColumns& a) {
  const auto factor = std::make_shared<Qr>();
  factorise(*factor, EigenColumns(a.transpose()));
  const Eigen::Index m = a.rows(), n = a.cols();
  return [factor, m, n](const EigenDense& b) {
    const EigenColumns r = factor->matrixR().topLeftCorner(m, m);
    const EigenDense ordered = factor->colsPermutation().transpose() * b;
    EigenDense y = EigenDense::Zero(n, b.cols());
    y.topRows(m) = EigenColumns(r.transpose()).triangularView<Eigen::Lower>().solve(ordered);
    return EigenDense(factor->matrixQ() * y);
  };
}

Solve least_squares(const EigenColumns& a) {
  constexpr double most_dense = 4e6;  // elements: beyond it a dense decomposition takes minutes
  if (static_cast<double>(a.rows()) * static_cast<double>(a.cols()) <= most_dense && maximum_matching(a) < a.cols())
    return minimum_norm_dense(a);
  return a.rows() < a.cols() ? minimum_norm_wide(a) : basic_least_squares(a);
}

Solve no_numbers(Eigen::Index rows) {
  return [rows](const EigenDense& b) {
    return EigenDense(EigenDense::Constant(rows, b.cols(), std::numeric_limits<double>::quiet_NaN()));
  };
}

}  // namespace

struct SparseSolver::Method {
  Solve solve;
  bool singular = false;

  explicit Method(const EigenColumns& a) {
    const Structure s = structure_of(a);
    if (!s.finite) {
      solve = no_numbers(a.cols());
    } else if (a.rows() != a.cols()) {
      solve = least_squares(a);
    } else if (s.lower == 0 && s.upper == 0) {
      solve = divide(a);
      singular = s.zero_on_diagonal;
    } else if ((s.lower == 0 || s.upper == 0) && !s.zero_on_diagonal) {
      solve = s.lower == 0 ? substitute<Eigen::Upper>(a) : substitute<Eigen::Lower>(a);
    } else if (auto found = factor(a, s)) {
      solve = *found;
    } else {
      solve = least_squares(a);
      singular = true;
    }
  }

  static std::optional<Solve> factor(const EigenColumns& a, const Structure& s) {
    if (s.lower == 0 || s.upper == 0) return std::nullopt;  // triangular with a zero on the diagonal
    const bool positive = s.symmetric, banded = is_banded(a, s);
    if (positive)
      if (auto found = banded ? factor_band_positive(a, s) : factor_positive(a)) return found;
    return banded ? factor_band(a, s) : factor_full(a);
  }
};

SparseSolver::SparseSolver(const Tensor& a) : method_(std::make_unique<Method>(to_eigen(a))) {}
SparseSolver::~SparseSolver() = default;

bool SparseSolver::singular() const { return method_->singular; }

Tensor SparseSolver::solve(const Tensor& b) const { return dense_from_eigen(method_->solve(dense_to_eigen(b))); }

}  // namespace lac::runtime
