// Determinant and inverse of a dense matrix. The factorisation is chosen as Octave does: none where the matrix is
// triangular, Cholesky where it may be positive definite, else LU.
#include "runtime/steps/dense/inverse.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "runtime/steps/dense/dense_input.h"
#include "runtime/steps/dense/scaled_product.h"
#include "runtime/steps/dense/small_inverse.h"
#include "runtime/steps/dense/small_lu.h"

namespace lac::runtime {
LibraryWarning warning_of_singular_inverse() {
  return {"Octave:singular-matrix", "warning: inverse: matrix singular to machine precision, rcond = 0"};
}

namespace {

using lapack::Functions;
using lapack::Matrix;
using lapack::Shape;

struct Determinant {
  double value;
  double rcond = 0;
};

/// A = U'*U above its diagonal; false where it is not positive definite after all.
template <class T>
bool factor_positive(Matrix<T>& a) {
  if (a.rows() <= most_small_unknowns) return cholesky_of_few(a.data, a.data, a.rows());
  return Functions<T>::potrf('U', a.rows(), a.data, a.rows()) == 0;
}

/// Where A is not positive definite after all: nothing.
template <class T>
std::optional<Determinant> determinant_by_cholesky(Matrix<T> a, T norm) {
  const int n = a.rows();
  if (!factor_positive(a)) return std::nullopt;
  T rcond = 0;
  Functions<T>::pocon('U', n, a.data, n, norm, &rcond);
  ScaledProduct product;
  for (int i = 0; i < n; ++i) product.multiply(a.at(i, i));
  product.square();
  return Determinant{product.value(), rcond};
}

/// Small ones that are far from singular, without LAPACK.
template <class T>
std::optional<Determinant> determinant_of_small(const Matrix<T>& a, T norm) {
  SmallLu<T> lu;
  if (a.rows() > most_of_small_lu || !lu.factor(a.rows(), a.data)) return std::nullopt;
  const T rcond = lu.reciprocal_condition(norm);
  if (!is_surely_regular(rcond)) return std::nullopt;
  ScaledProduct product;
  lu.each_factor_of_determinant([&](T factor) { product.multiply(factor); });
  return Determinant{product.value(), rcond};
}

template <class T>
Determinant determinant(Matrix<T> a) {
  const int n = a.rows();
  if (n == 0) return {1};
  ScaledProduct product;
  const Shape shape = lapack::shape_of(a);
  if (shape == Shape::upper || shape == Shape::lower) {
    for (int i = 0; i < n; ++i) product.multiply(a.at(i, i));
    return {product.value()};
  }
  const T norm = lapack::norm1(a);
  if (shape == Shape::positive)
    if (const auto result = determinant_by_cholesky(Matrix<T>(a.tensor), norm)) return *result;
  if (const auto result = determinant_of_small(a, norm)) return *result;
  std::vector<int> pivots(static_cast<std::size_t>(n));
  if (Functions<T>::getrf(n, n, a.data, n, pivots.data()) > 0) return {0};
  T rcond = 0;
  Functions<T>::gecon('1', n, a.data, n, norm, &rcond);
  for (int i = 0; i < n; ++i)
    product.multiply(pivots[static_cast<std::size_t>(i)] != i + 1 ? -static_cast<double>(a.at(i, i)) : a.at(i, i));
  return {product.value(), rcond};
}

template <class T>
Inverse<T> singular_inverse(int n, T rcond) {
  Matrix<T> result = lapack::zeros<T>(n, n);
  std::fill_n(result.data, result.tensor.count(), std::isnan(rcond) ? rcond : std::numeric_limits<T>::infinity());
  return {std::move(result), rcond};
}

template <class T>
Inverse<T> invert_triangular(Matrix<T> a, char triangle) {
  T rcond = 0;
  Functions<T>::trcon('1', triangle, 'N', a.rows(), a.data, a.leading(), &rcond);
  if (a.rows() <= most_small_unknowns) {
    Matrix<T> result = lapack::zeros<T>(a.rows(), a.rows());
    invert_few_triangular(static_cast<const T*>(a.data), result.data, a.rows(), triangle == 'U');
    return {std::move(result), rcond};
  }
  Functions<T>::trtri(triangle, 'N', a.rows(), a.data, a.leading());
  return {std::move(a), rcond};
}

/// Nothing when A is not positive definite after all.
template <class T>
std::optional<Inverse<T>> invert_positive(Matrix<T> a) {
  const int n = a.rows();
  const T norm = lapack::norm1(a);
  if (!factor_positive(a)) return std::nullopt;
  T rcond = 0;
  Functions<T>::pocon('U', n, a.data, n, norm, &rcond);
  if (rcond == 0) return singular_inverse<T>(n, rcond);
  if (n <= most_small_unknowns) {
    Matrix<T> result = lapack::zeros<T>(n, n);
    invert_by_cholesky(static_cast<const T*>(a.data), result.data, n);
    return Inverse<T>{std::move(result), rcond};
  }
  Functions<T>::potri('U', n, a.data, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i) a.at(j, i) = a.at(i, j);
  return Inverse<T>{std::move(a), rcond};
}

/// Small ones that are far from singular, without LAPACK.
template <class T>
std::optional<Inverse<T>> invert_small(const Matrix<T>& a, T norm) {
  const int n = a.rows();
  SmallLu<T> lu;
  if (n > most_of_small_lu || !lu.factor(n, a.data)) return std::nullopt;
  const T rcond = lu.reciprocal_condition(norm);
  if (!is_surely_regular(rcond)) return std::nullopt;
  Matrix<T> result = lapack::zeros<T>(n, n);
  for (int i = 0; i < n; ++i) result.at(i, i) = 1;
  lu.solve(n, result.data, result.data);
  return Inverse<T>{std::move(result), rcond};
}

template <class T>
Inverse<T> invert_full(Matrix<T> a) {
  const int n = a.rows();
  std::vector<int> pivots(static_cast<std::size_t>(n));
  const T norm = lapack::norm1(a);
  if (auto result = invert_small(a, norm)) return std::move(*result);
  T rcond = 0;
  const bool zero_pivot = Functions<T>::getrf(n, n, a.data, n, pivots.data()) != 0;
  if (!zero_pivot) Functions<T>::gecon('1', n, a.data, n, norm, &rcond);
  if (zero_pivot || rcond == 0 || std::isnan(rcond)) return singular_inverse<T>(n, rcond);
  Functions<T>::getri(n, a.data, n, pivots.data());
  return {std::move(a), rcond};
}

/// The optional second operand of `inverse`.
enum class InverseWarning { inv = 0, none = 1, power = 2 };

void warn(InverseWarning kind, double rcond, Element element, std::vector<LibraryWarning>& warnings) {
  if (kind == InverseWarning::inv) steps::warn_if_singular(rcond, element, warnings);
  if (kind == InverseWarning::power && rcond == 0) warnings.push_back(warning_of_singular_inverse());
}

}  // namespace

template <class T>
Inverse<T> invert(Matrix<T> a) {
  if (a.tensor.empty()) return {std::move(a), std::numeric_limits<T>::infinity()};
  const Shape shape = lapack::shape_of(a);
  if (shape == Shape::upper || shape == Shape::lower)
    return invert_triangular(std::move(a), shape == Shape::upper ? 'U' : 'L');
  if (shape == Shape::positive)
    if (auto result = invert_positive(Matrix<T>(a.tensor))) return *result;
  return invert_full(std::move(a));
}

template Inverse<float> invert(Matrix<float> a);
template Inverse<double> invert(Matrix<double> a);

namespace steps {

Output det(const Input& input) {
  return with_square_matrix(input, "det", "A must be a square matrix", [&](auto a) -> Output {
    const Determinant result = determinant(std::move(a));
    return std::vector{Tensor::scalar(result.value, input.results[0].element),
                       Tensor::scalar(result.rcond, input.results[1].element)};
  });
}

Output inverse(const Input& input) {
  return with_square_matrix(input, "inverse", "A must be a square matrix", [&](auto a) -> Output {
    const bool empty = a.tensor.empty();
    auto result = invert(std::move(a));
    const auto kind =
        static_cast<InverseWarning>(input.operands.size() > 1 ? static_cast<int>(input.operands[1].as_scalar()) : 0);
    if (!empty) warn(kind, result.rcond, input.results[0].element, input.warnings);
    return std::vector{result.matrix.tensor, Tensor::scalar(result.rcond, input.results[1].element)};
  });
}

}  // namespace steps
}  // namespace lac::runtime
