// Powers of a square matrix, and a scalar to the power of one.
#include <cmath>
#include <complex>

#include "runtime/steps/dense/dense_input.h"
#include "runtime/steps/dense/eigen.h"
#include "runtime/steps/dense/inverse.h"

namespace lac::runtime::steps {
namespace {

using lapack::Matrix;

constexpr const char* turns_complex = "error: operator ^: the power is a complex matrix, which is outside the language";

template <class T>
Matrix<T> identity(int n) {
  Matrix<T> result = lapack::zeros<T>(n, n);
  for (int i = 0; i < n; ++i) result.at(i, i) = 1;
  return result;
}

/// A^exponent by repeated squaring, least significant bit first.
template <class T>
Matrix<T> integer_power(Matrix<T> a, double exponent, std::vector<LibraryWarning>& warnings) {
  if (exponent == 0) return identity<T>(a.rows());
  if (exponent < 0) {
    Inverse<T> inverse = invert(std::move(a));
    if (inverse.rcond == 0) warnings.push_back(warning_of_singular_inverse());
    a = std::move(inverse.matrix);
  }
  Matrix<T> result(a.tensor);
  for (double left = std::abs(exponent) - 1; left > 0; left = std::floor(left / 2)) {
    if (std::fmod(left, 2) == 1) result = lapack::product(result, a);
    if (left > 1) a = lapack::product(a, a);
  }
  return result;
}

/// V * diag(f(values)) / V; fails where an element is complex.
template <class T, class F>
Output function_of(Matrix<T> a, F&& f) {
  if (!lapack::all_finite(a)) return Failure{"error: EIG: matrix contains Inf or NaN values"};
  const Eigen<T> eigen = runtime::eigen(std::move(a), EigenVectors::right, true);
  if (!eigen.converged) return Failure{"error: operator ^: the eigenvalue iteration did not converge"};
  if (!eigen.real()) return Failure{turns_complex};
  Matrix<T> scaled(eigen.right.tensor);
  for (int j = 0; j < scaled.cols(); ++j) {
    const std::complex<T> value = f(eigen.values[static_cast<std::size_t>(j)]);
    if (std::isnan(value.real()) || value.imag() != 0) return Failure{turns_complex};
    for (int i = 0; i < scaled.rows(); ++i) scaled.at(i, j) *= value.real();
  }
  return std::vector{lapack::product(scaled, invert(Matrix<T>(eigen.right.tensor)).matrix).tensor};
}

/// base^exponent for a negative base would have an imaginary part of rounding errors for integers too.
template <class T>
std::complex<T> power(std::complex<T> base, T exponent) {
  if (base.real() >= 0 || std::trunc(exponent) == exponent) return std::pow(base.real(), exponent);
  return std::pow(base, exponent);
}

}  // namespace

Output matrix_power(const Input& input) {
  const bool matrix_base = !input.operands[0].is_scalar() || input.operands[1].is_scalar();
  const double scalar = input.operands[matrix_base ? 1 : 0].as_scalar();
  constexpr const char* not_square =
      "only square matrix arguments are permitted and one argument must be scalar.  Use .^ for elementwise power.";
  return with_matrix(
      input, "operator ^",
      [&](auto a) -> Output {
        using T = std::remove_pointer_t<decltype(a.data)>;
        if (a.rows() != a.cols()) return Failure{std::string("error: for x^y, ") + not_square};
        if (a.tensor.empty()) return std::vector{a.tensor};
        const T number = static_cast<T>(scalar);
        if (!matrix_base)
          return function_of(std::move(a), [&](std::complex<T> value) { return power<T>(number, value.real()); });
        if (std::trunc(scalar) == scalar && std::abs(scalar) < 2147483648.0)
          return std::vector{integer_power(std::move(a), scalar, input.warnings).tensor};
        return function_of(std::move(a), [&](std::complex<T> value) { return power<T>(value, number); });
      },
      matrix_base ? 0 : 1);
}

}  // namespace lac::runtime::steps
