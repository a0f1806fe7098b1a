// Factorisations of a dense matrix: LU, Cholesky, QR.
#include <algorithm>
#include <numeric>

#include "runtime/steps/dense/dense_input.h"
#include "runtime/steps/dense/small_lu.h"

namespace lac::runtime::steps {
namespace {

using lapack::Functions;
using lapack::Matrix;

/// The row order that a sequence of LAPACK's interchanges makes: 1-based.
std::vector<double> permutation_of(const std::vector<int>& pivots, int rows) {
  std::vector<double> order(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), 1.0);
  for (std::size_t k = 0; k < pivots.size(); ++k) std::swap(order[k], order[static_cast<std::size_t>(pivots[k] - 1)]);
  return order;
}

/// A small one, without LAPACK; where a pivot may be rounding errors alone not.
template <class T>
bool factor_small(Matrix<T>& a, std::vector<int>& pivots) {
  SmallLu<T> lu;
  if (a.rows() != a.cols() || a.rows() > most_of_small_lu || !lu.factor(a.rows(), a.data) || !lu.has_sure_pivots())
    return false;
  lu.store(a.data);
  std::copy_n(lu.pivots(), a.rows(), pivots.begin());
  return true;
}

/// Overwrites A with both factors and returns the interchanges.
template <class T>
std::vector<int> factor_lu(Matrix<T>& a) {
  std::vector<int> pivots(static_cast<std::size_t>(std::min(a.rows(), a.cols())));
  if (!a.tensor.empty() && factor_small(a, pivots)) return pivots;
  if (!a.tensor.empty()) Functions<T>::getrf(a.rows(), a.cols(), a.data, a.leading(), pivots.data());
  return pivots;
}

/// The upper triangle (or trapezoid) of the leading `rows` rows of A.
template <class T>
Matrix<T> upper_part(const Matrix<T>& a, int rows) {
  Matrix<T> upper = lapack::zeros<T>(rows, a.cols());
  for (int j = 0; j < a.cols(); ++j)
    for (int i = 0; i < std::min(j + 1, std::min(rows, a.rows())); ++i) upper.at(i, j) = a.at(i, j);
  return upper;
}

template <class T>
std::vector<Tensor> lu_factors(Matrix<T> a, Element index_element) {
  const int m = a.rows(), inner = std::min(m, a.cols());
  const std::vector<int> pivots = factor_lu(a);
  Matrix<T> lower = lapack::zeros<T>(m, inner);
  for (int j = 0; j < inner; ++j)
    for (int i = j; i < m; ++i) lower.at(i, j) = i == j ? T(1) : a.at(i, j);
  return {lower.tensor, upper_part(a, inner).tensor, Tensor::dense(index_element, 1, m, permutation_of(pivots, m))};
}

/// R with R'*R = A in its leading order - 1 rows and columns, zero elsewhere; only the upper triangle of A is read.
template <class T>
std::vector<Tensor> cholesky_factor(Matrix<T> a, Element flag_element) {
  const int n = a.rows();
  const int order = n == 0 ? 0 : Functions<T>::potrf('U', n, a.data, n);
  const int kept = order > 0 ? order - 1 : n;
  Matrix<T> factor = lapack::zeros<T>(n, n);
  for (int j = 0; j < kept; ++j)
    for (int i = 0; i <= j; ++i) factor.at(i, j) = a.at(i, j);
  return {factor.tensor, Tensor::scalar(order, flag_element)};
}

/// R above and the Householder vectors below; their scales are `tau`.
template <class T>
struct Reflectors {
  Matrix<T> packed;
  std::vector<T> tau;
  std::vector<int> columns;  ///< 1-based order of the columns, where they were exchanged
};

template <class T>
Reflectors<T> reflect(Matrix<T> a, bool exchange) {
  std::vector<T> tau(static_cast<std::size_t>(std::min(a.rows(), a.cols())));
  std::vector<int> columns;
  if (exchange) columns.resize(static_cast<std::size_t>(a.cols()), 0);
  if (a.tensor.empty()) std::iota(columns.begin(), columns.end(), 1);
  else if (exchange) Functions<T>::geqp3(a.rows(), a.cols(), a.data, a.leading(), columns.data(), tau.data());
  else Functions<T>::geqrf(a.rows(), a.cols(), a.data, a.leading(), tau.data());
  return {std::move(a), std::move(tau), std::move(columns)};
}

/// The first `cols` columns of Q.
template <class T>
Matrix<T> orthogonal_factor(const Reflectors<T>& reflectors, int cols) {
  const Matrix<T>& packed = reflectors.packed;
  const int m = packed.rows(), count = static_cast<int>(reflectors.tau.size());
  Matrix<T> q = lapack::zeros<T>(m, cols);
  if (count == 0)  // no reflection: columns of the identity
    for (int j = 0; j < std::min(m, cols); ++j) q.at(j, j) = 1;
  for (int j = 0; j < std::min(cols, packed.cols()); ++j)
    for (int i = 0; i < m; ++i) q.at(i, j) = packed.at(i, j);
  if (count > 0) Functions<T>::orgqr(m, cols, count, q.data, q.leading(), reflectors.tau.data());
  return q;
}

template <class T>
std::vector<Tensor> qr_factors(Matrix<T> a, const Input& input) {
  const bool exchange = input.results.size() > 2;
  const int inner = static_cast<int>(input.results[0].cols);  // rows for the complete form
  const Reflectors<T> reflectors = reflect(std::move(a), exchange);
  std::vector<Tensor> results{orthogonal_factor(reflectors, inner).tensor, upper_part(reflectors.packed, inner).tensor};
  if (exchange) {
    const std::vector<double> order(reflectors.columns.begin(), reflectors.columns.end());
    results.push_back(Tensor::dense(input.results[2].element, 1, static_cast<std::int64_t>(order.size()), order));
  }
  return results;
}

}  // namespace

Output lu(const Input& input) {
  return with_matrix(input, "lu", [&](auto a) -> Output { return lu_factors(std::move(a), input.results[2].element); });
}

Output lu_packed(const Input& input) {
  return with_matrix(input, "lu", [](auto a) -> Output {
    factor_lu(a);
    return std::vector{a.tensor};
  });
}

Output cholesky(const Input& input) {
  return with_square_matrix(input, "chol", "A must be a square matrix",
                            [&](auto a) -> Output { return cholesky_factor(std::move(a), input.results[1].element); });
}

Output qr(const Input& input) {
  return with_matrix(input, "qr", [&](auto a) -> Output { return qr_factors(std::move(a), input); });
}

Output qr_pivoted(const Input& input) { return qr(input); }

Output qr_packed(const Input& input) {
  return with_matrix(input, "qr", [](auto a) -> Output {
    auto [packed, tau, columns] = reflect(std::move(a), false);
    for (int j = 0; j < static_cast<int>(tau.size()); ++j)
      for (int i = j + 1; i < packed.rows(); ++i) packed.at(i, j) *= tau[static_cast<std::size_t>(j)];
    return std::vector{packed.tensor};
  });
}

}  // namespace lac::runtime::steps
