// Factors of sparse matrices that programs see: determinant, Cholesky, LU.
#include <cmath>

#include "runtime/steps/sparse/eigen_sparse.h"
#include "runtime/steps/sparse/sparse_solver.h"

// After eigen_sparse.h, which says under which licence.
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

namespace lac::runtime {
namespace {

using NaturalCholesky = Eigen::SimplicialLLT<EigenColumns, Eigen::Upper, Eigen::NaturalOrdering<int>>;

bool is_positive(const EigenColumns& a, Eigen::Index order) {
  const EigenColumns leading = a.topLeftCorner(order, order);
  NaturalCholesky factor;
  factorise(factor, leading);
  return factor.info() == Eigen::Success;
}

/// Factors with access to what Eigen keeps of them.
template <class Ordering>
struct OpenLu : Eigen::SparseLU<EigenColumns, Ordering> {
  using Base = Eigen::SparseLU<EigenColumns, Ordering>;
  using typename Base::SCMatrix;
  explicit OpenLu(const EigenColumns& a) { factorise<Base>(*this, a); }

  /// Calls f(row, col, value) for what lies on and below the diagonal blocks, and the upper part within them.
  template <class F>
  void for_each_block_entry(F&& f) const {
    for (Eigen::Index j = 0; j < this->cols(); ++j)
      for (typename SCMatrix::InnerIterator e(this->m_Lstore, j); e; ++e) f(e.row(), j, e.value());
  }
  template <class F>
  void for_each_upper_entry(F&& f) const {
    for (Eigen::Index j = 0; j < this->cols(); ++j)
      for (typename Eigen::MappedSparseMatrix<double, Eigen::ColMajor, int>::InnerIterator e(this->m_Ustore, j); e; ++e)
        f(e.row(), j, e.value());
  }
};

std::vector<double> order_from_one(const Eigen::VectorXi& indices) {
  std::vector<double> order(static_cast<std::size_t>(indices.size()));
  for (Eigen::Index k = 0; k < indices.size(); ++k) order[static_cast<std::size_t>(k)] = indices(k) + 1.0;
  return order;
}

template <class Ordering>
std::optional<SparseLu> factors(const EigenColumns& a) {
  const OpenLu<Ordering> lu(a);
  if (lu.info() != Eigen::Success) return std::nullopt;
  using Entry = Eigen::Triplet<double>;
  std::vector<Entry> lower, upper;
  const auto add = [&](Eigen::Index i, Eigen::Index j, double value) {
    (i > j ? lower : upper).emplace_back(static_cast<int>(i), static_cast<int>(j), value);
  };
  lu.for_each_block_entry(add);
  lu.for_each_upper_entry([&](Eigen::Index i, Eigen::Index j, double value) {
    upper.emplace_back(static_cast<int>(i), static_cast<int>(j), value);
  });
  for (int i = 0; i < a.cols(); ++i) lower.emplace_back(i, i, 1.0);
  EigenRows l(a.rows(), a.cols()), u(a.rows(), a.cols());
  l.setFromTriplets(lower.begin(), lower.end());
  u.setFromTriplets(upper.begin(), upper.end());
  // Eigen: Pr * A * Pc' = L * U, where Pr takes row i to row indices(i).
  return SparseLu{from_eigen(l), from_eigen(u), order_from_one(lu.rowsPermutation().inverse().eval().indices()),
                  order_from_one(lu.colsPermutation().inverse().eval().indices())};
}

}  // namespace

double determinant_sparse(const Tensor& a) {
  if (a.rows() == 0) return 1;
  Eigen::SparseLU<EigenColumns, Eigen::COLAMDOrdering<int>> lu;
  factorise(lu, to_eigen(a));
  if (lu.info() != Eigen::Success) return 0;
  const double value = lu.determinant();
  return value != 0 && std::isfinite(value) ? value : lu.signDeterminant() * std::exp(lu.logAbsDeterminant());
}

SparseCholesky cholesky_sparse(const Tensor& a, bool reorder) {
  EigenColumns upper = to_eigen(a).triangularView<Eigen::Upper>();
  const Eigen::Index n = upper.cols();
  Eigen::VectorXi order = Eigen::VectorXi::LinSpaced(n, 0, static_cast<int>(n) - 1);
  if (reorder && n > 0) {
    Eigen::AMDOrdering<int>::PermutationType permutation;
    Eigen::AMDOrdering<int>()(upper.selfadjointView<Eigen::Upper>(), permutation);
    order = permutation.indices();
    const EigenColumns before = upper;
    upper.selfadjointView<Eigen::Upper>() = before.selfadjointView<Eigen::Upper>().twistedBy(permutation.inverse());
    upper =
        EigenColumns(EigenRows(upper));  // sorts: the turn leaves columns' rows in any order, and corners want theirs
  }
  Eigen::Index good = n;
  if (!is_positive(upper, n)) {  // the last order that works, by bisection
    Eigen::Index bad = n;
    good = 0;
    while (bad - good > 1) {
      const Eigen::Index middle = good + (bad - good) / 2;
      (is_positive(upper, middle) ? good : bad) = middle;
    }
  }
  const EigenColumns leading = upper.topLeftCorner(good, good);
  NaturalCholesky factor;
  factorise(factor, leading);
  const EigenColumns r = EigenColumns(factor.matrixU());
  EigenColumns beside = upper.topRightCorner(good, n - good);  // R'*x = what stands beside the leading block
  if (good > 0 && good < n) EigenColumns(r.transpose()).triangularView<Eigen::Lower>().solveInPlace(beside);
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](const EigenColumns& part, Eigen::Index shift) {
    for (Eigen::Index j = 0; j < part.cols(); ++j)
      for (EigenColumns::InnerIterator e(part, j); e; ++e)
        entries.emplace_back(static_cast<int>(e.row()), static_cast<int>(j + shift), e.value());
  };
  add(r, 0);
  add(beside, good);
  EigenRows padded(n, n);
  padded.setFromTriplets(entries.begin(), entries.end());
  return {from_eigen(padded), good, order_from_one(order)};
}

std::optional<SparseLu> lu_sparse(const Tensor& a, bool reorder) {
  const EigenColumns columns = to_eigen(a);
  return reorder ? factors<Eigen::COLAMDOrdering<int>>(columns) : factors<Eigen::NaturalOrdering<int>>(columns);
}

}  // namespace lac::runtime
