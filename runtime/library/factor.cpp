// Factorisations of a dense matrix, its inverse and its determinant.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "runtime/library/lapack.h"
#include "runtime/library/steps.h"
#include "runtime/tensor/convert.h"

namespace lac::runtime::steps {
namespace {

using lapack::Functions;
using lapack::Matrix;
using lapack::Shape;

/// Calls f(Matrix<T>) with the operand as a dense matrix in the precision that the result asks for.
template <class F>
Output with_matrix(const Input& input, const char* what, F&& f) {
  const Tensor& operand = input.operands[0];
  if (!operand.is_dense()) return Failure{std::string("error: ") + what + ": a sparse matrix is not supported yet"};
  if (!lapack::fits(operand)) return Failure{std::string("error: ") + what + ": more than 2^31-1 rows or columns"};
  if (input.results[0].element == Element::single) return f(Matrix<float>(to_element(operand, Element::single)));
  return f(Matrix<double>(to_element(operand, Element::real)));
}

template <class T>
Element element_of() {
  return std::is_same_v<T, float> ? Element::single : Element::real;
}

/// The row order that a sequence of LAPACK's interchanges makes: 1-based.
std::vector<double> permutation_of(const std::vector<lapack_int>& pivots, int rows) {
  std::vector<double> order(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), 1.0);
  for (std::size_t k = 0; k < pivots.size(); ++k) std::swap(order[k], order[static_cast<std::size_t>(pivots[k] - 1)]);
  return order;
}

template <class T>
std::vector<Tensor> lu_factors(Matrix<T> a, Element index_element) {
  const int m = a.rows(), n = a.cols(), inner = std::min(m, n);
  std::vector<lapack_int> pivots(static_cast<std::size_t>(inner));
  if (!a.tensor.empty()) Functions<T>::getrf(LAPACK_COL_MAJOR, m, n, a.data, a.leading(), pivots.data());
  Matrix<T> lower(Tensor::dense(element_of<T>(), m, inner)), upper(Tensor::dense(element_of<T>(), inner, n));
  for (int j = 0; j < inner; ++j)
    for (int i = j; i < m; ++i) lower.at(i, j) = i == j ? T(1) : a.at(i, j);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i <= std::min(j, inner - 1); ++i) upper.at(i, j) = a.at(i, j);
  return {lower.tensor, upper.tensor, Tensor::dense(index_element, 1, m, permutation_of(pivots, m))};
}

/// A product kept as fraction * 2^exponent, so that it only overflows if its value does.
struct ScaledProduct {
  double fraction = 1;
  long exponent = 0;

  void multiply(double factor) {
    int shift = 0;
    fraction = std::frexp(fraction * factor, &shift);
    exponent += shift;
  }
  void square() {
    exponent *= 2;
    multiply(fraction);
  }
  double value() const { return std::ldexp(fraction, static_cast<int>(std::clamp(exponent, -100000L, 100000L))); }
};

template <class T>
double determinant(Matrix<T> a) {
  const int n = a.rows();
  if (n == 0) return 1;
  ScaledProduct product;
  const Shape shape = lapack::shape_of(a);
  if (shape == Shape::upper || shape == Shape::lower) {
    for (int i = 0; i < n; ++i) product.multiply(a.at(i, i));
    return product.value();
  }
  if (shape == Shape::positive) {
    Matrix<T> factor(a.tensor);
    if (Functions<T>::potrf(LAPACK_COL_MAJOR, 'U', n, factor.data, n) == 0) {
      for (int i = 0; i < n; ++i) product.multiply(factor.at(i, i));
      product.square();
      return product.value();
    }
  }
  std::vector<lapack_int> pivots(static_cast<std::size_t>(n));
  if (Functions<T>::getrf(LAPACK_COL_MAJOR, n, n, a.data, n, pivots.data()) > 0) return 0;
  for (int i = 0; i < n; ++i)
    product.multiply(pivots[static_cast<std::size_t>(i)] != i + 1 ? -static_cast<double>(a.at(i, i)) : a.at(i, i));
  return product.value();
}

template <class T>
Tensor all_infinite(int n) {
  const std::vector<double> values(static_cast<std::size_t>(n) * static_cast<std::size_t>(n),
                                   std::numeric_limits<double>::infinity());
  return Tensor::dense(element_of<T>(), n, n, values);
}

template <class T>
Tensor invert_triangular(Matrix<T> a, char triangle, std::vector<LibraryWarning>& warnings) {
  T rcond = 0;
  Functions<T>::trcon(LAPACK_COL_MAJOR, '1', triangle, 'N', a.rows(), a.data, a.leading(), &rcond);
  warn_if_singular(rcond, element_of<T>(), warnings);
  Functions<T>::trtri(LAPACK_COL_MAJOR, triangle, 'N', a.rows(), a.data, a.leading());
  return a.tensor;
}

/// Nothing when A is not positive definite after all.
template <class T>
std::optional<Tensor> invert_positive(Matrix<T> a, std::vector<LibraryWarning>& warnings) {
  const int n = a.rows();
  const T norm = lapack::norm1(a);
  if (Functions<T>::potrf(LAPACK_COL_MAJOR, 'U', n, a.data, n) != 0) return std::nullopt;
  T rcond = 0;
  Functions<T>::pocon(LAPACK_COL_MAJOR, 'U', n, a.data, n, norm, &rcond);
  warn_if_singular(rcond, element_of<T>(), warnings);
  if (rcond == 0) return all_infinite<T>(n);
  Functions<T>::potri(LAPACK_COL_MAJOR, 'U', n, a.data, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i) a.at(j, i) = a.at(i, j);
  return a.tensor;
}

template <class T>
Tensor invert_full(Matrix<T> a, std::vector<LibraryWarning>& warnings) {
  const int n = a.rows();
  std::vector<lapack_int> pivots(static_cast<std::size_t>(n));
  const T norm = lapack::norm1(a);
  T rcond = 0;
  const bool zero_pivot = Functions<T>::getrf(LAPACK_COL_MAJOR, n, n, a.data, n, pivots.data()) != 0;
  if (!zero_pivot) Functions<T>::gecon(LAPACK_COL_MAJOR, '1', n, a.data, n, norm, &rcond);
  warn_if_singular(rcond, element_of<T>(), warnings);
  if (zero_pivot || rcond == 0 || std::isnan(rcond)) return all_infinite<T>(n);
  Functions<T>::getri(LAPACK_COL_MAJOR, n, a.data, n, pivots.data());
  return a.tensor;
}

template <class T>
Tensor invert(Matrix<T> a, std::vector<LibraryWarning>& warnings) {
  if (a.tensor.empty()) return a.tensor;
  const Shape shape = lapack::shape_of(a);
  if (shape == Shape::upper || shape == Shape::lower)
    return invert_triangular(std::move(a), shape == Shape::upper ? 'U' : 'L', warnings);
  if (shape == Shape::positive)
    if (auto result = invert_positive(Matrix<T>(a.tensor), warnings)) return *result;
  return invert_full(std::move(a), warnings);
}

/// R with R'*R = A in its leading order - 1 rows and columns, zero elsewhere; only the upper triangle of A is read.
template <class T>
std::vector<Tensor> cholesky_factor(Matrix<T> a, Element flag_element) {
  const int n = a.rows();
  const lapack_int order = n == 0 ? 0 : Functions<T>::potrf(LAPACK_COL_MAJOR, 'U', n, a.data, n);
  const int kept = order > 0 ? order - 1 : n;
  Matrix<T> factor(Tensor::dense(element_of<T>(), n, n));
  for (int j = 0; j < kept; ++j)
    for (int i = 0; i <= j; ++i) factor.at(i, j) = a.at(i, j);
  return {factor.tensor, Tensor::scalar(order, flag_element)};
}

Output not_square(const char* message) { return Failure{message}; }

}  // namespace

Output lu(const Input& input) {
  return with_matrix(input, "lu", [&](auto a) -> Output { return lu_factors(std::move(a), input.results[2].element); });
}

Output det(const Input& input) {
  return with_matrix(input, "det", [&](auto a) -> Output {
    if (a.rows() != a.cols()) return not_square("error: det: A must be a square matrix");
    return std::vector{Tensor::scalar(determinant(std::move(a)), input.results[0].element)};
  });
}

Output inverse(const Input& input) {
  return with_matrix(input, "inverse", [&](auto a) -> Output {
    if (a.rows() != a.cols()) return not_square("error: inverse: argument must be a square matrix");
    return std::vector{invert(std::move(a), input.warnings)};
  });
}

Output cholesky(const Input& input) {
  return with_matrix(input, "chol", [&](auto a) -> Output {
    if (a.rows() != a.cols()) return not_square("error: chol: A must be a square matrix");
    return cholesky_factor(std::move(a), input.results[1].element);
  });
}

}  // namespace lac::runtime::steps
