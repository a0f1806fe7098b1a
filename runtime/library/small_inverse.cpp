#include "runtime/library/small_inverse.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "runtime/library/lapack.h"
#include "runtime/library/scaled_product.h"
#include "runtime/library/small_lu.h"

namespace lac::runtime {
namespace {

using lapack::Shape;

template <class T>
using Few = std::array<T, most_small_unknowns * most_small_unknowns>;

/// The largest element of M(U)^-1 * 1, at least the largest row sum of U^-1 (N. J. Higham, Accuracy and Stability of
/// Numerical Algorithms, 2nd ed., section 8.3).
template <class T>
T bound_of_rows(const T* u, std::int64_t n) {
  std::array<T, most_small_unknowns> rows = {};
  T largest = 0;
  for (std::int64_t i = n - 1; i >= 0; --i) {
    T sum = 1;
    for (std::int64_t k = i + 1; k < n; ++k) sum += std::abs(u[k * n + i]) * rows[static_cast<std::size_t>(k)];
    rows[static_cast<std::size_t>(i)] = sum / std::abs(u[i * n + i]);
    largest = std::max(largest, rows[static_cast<std::size_t>(i)]);
  }
  return largest;
}

/// The same of U'.
template <class T>
T bound_of_columns(const T* u, std::int64_t n) {
  std::array<T, most_small_unknowns> columns = {};
  T largest = 0;
  for (std::int64_t j = 0; j < n; ++j) {
    T sum = 1;
    for (std::int64_t k = 0; k < j; ++k) sum += std::abs(u[j * n + k]) * columns[static_cast<std::size_t>(k)];
    columns[static_cast<std::size_t>(j)] = sum / std::abs(u[j * n + j]);
    largest = std::max(largest, columns[static_cast<std::size_t>(j)]);
  }
  return largest;
}

template <class T>
T largest_column_sum(const T* a, std::int64_t n) {
  T largest = 0;
  for (std::int64_t j = 0; j < n; ++j) {
    T sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += std::abs(a[j * n + i]);
    largest = std::max(largest, sum);
  }
  return largest;
}

/// By a bound of the norm of A^-1. LAPACK's estimate is in another norm, at most n^2 away; what is near is LAPACK's to
/// judge.
template <class T>
bool is_far_from_singular(const T* a, T bound, std::int64_t n) {
  const T least = T(16 * n * n) * std::numeric_limits<T>::epsilon();
  return largest_column_sum(a, n) * bound < 1 / least;
}

/// V = U^-1 above the diagonal and on it (xTRTI2).
template <class T>
void invert_upper(const T* u, T* v, std::int64_t n) {
  for (std::int64_t j = 0; j < n; ++j) {
    v[j * n + j] = 1 / u[j * n + j];
    for (std::int64_t i = 0; i < j; ++i) {
      T sum = 0;
      for (std::int64_t k = i; k < j; ++k) sum += v[k * n + i] * u[j * n + k];
      v[j * n + i] = -v[j * n + j] * sum;
    }
  }
}

template <class T>
void transpose(const T* from, T* to, std::int64_t n) {
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i < n; ++i) to[i * n + j] = from[j * n + i];
}

template <class T>
void set_identity(T* x, std::int64_t n) {
  for (std::int64_t k = 0; k < n * n; ++k) x[k] = k % (n + 1) == 0 ? T(1) : T(0);
}

}  // namespace

template <class T>
bool cholesky_of_few(const T* a, T* u, std::int64_t n) {
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i <= j; ++i) {
      T rest = a[j * n + i];
      for (std::int64_t k = 0; k < i; ++k) rest -= u[i * n + k] * u[j * n + k];
      if (i == j && !(rest > 0)) return false;
      u[j * n + i] = i == j ? std::sqrt(rest) : rest / u[i * n + i];
    }
  return true;
}

template <class T>
void invert_by_cholesky(const T* u, T* x, std::int64_t n) {
  Few<T> v;
  invert_upper(u, v.data(), n);
  const auto at = [&](std::int64_t i, std::int64_t j) { return v[static_cast<std::size_t>(j * n + i)]; };
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i <= j; ++i) {
      T sum = 0;
      for (std::int64_t k = j; k < n; ++k) sum += at(i, k) * at(j, k);
      x[j * n + i] = x[i * n + j] = sum;
    }
}

template <class T>
void invert_few_triangular(const T* a, T* x, std::int64_t n, bool is_upper) {
  Few<T> u = {}, v = {};
  if (is_upper) std::copy_n(a, n * n, u.data());
  else transpose(a, u.data(), n);
  invert_upper(u.data(), v.data(), n);
  if (is_upper) std::copy_n(v.data(), n * n, x);
  else transpose(v.data(), x, n);
}

template <class T>
bool invert_few(const T* a, T* x, std::int64_t n) {
  const Shape shape = lapack::shape_of(a, n);
  if (shape == Shape::upper || shape == Shape::lower) {
    Few<T> u = {};
    if (shape == Shape::upper) std::copy_n(a, n * n, u.data());
    else transpose(a, u.data(), n);
    if (!is_far_from_singular(a, bound_of_rows(u.data(), n), n)) return false;
    invert_few_triangular(a, x, n, shape == Shape::upper);
    return true;
  }
  if (Few<T> u; shape == Shape::positive && cholesky_of_few(a, u.data(), n)) {
    if (!is_far_from_singular(a, bound_of_rows(u.data(), n) * bound_of_columns(u.data(), n), n)) return false;
    invert_by_cholesky(u.data(), x, n);
    return true;
  }
  SmallLu<T> lu;
  if (!lu.factor(static_cast<int>(n), a) || !lu.is_surely_regular(a)) return false;
  set_identity(x, n);
  lu.solve(static_cast<int>(n), x, x);
  return true;
}

template <class T>
bool determinant_of_few(const T* a, double& value, std::int64_t n) {
  const Shape shape = lapack::shape_of(a, n);
  ScaledProduct product;
  if (shape == Shape::upper || shape == Shape::lower) {
    for (std::int64_t i = 0; i < n; ++i) product.multiply(a[i * n + i]);
    value = product.value();
    return true;
  }
  if (Few<T> u; shape == Shape::positive && cholesky_of_few(a, u.data(), n)) {
    for (std::int64_t i = 0; i < n; ++i) product.multiply(u[static_cast<std::size_t>(i * n + i)]);
    product.square();
    value = product.value();
    return true;
  }
  SmallLu<T> lu;
  if (!lu.factor(static_cast<int>(n), a) || !lu.is_surely_regular(a)) return false;
  lu.each_factor_of_determinant([&](T factor) { product.multiply(factor); });
  value = product.value();
  return true;
}

template bool invert_few(const float*, float*, std::int64_t);
template bool invert_few(const double*, double*, std::int64_t);
template bool determinant_of_few(const float*, double&, std::int64_t);
template bool determinant_of_few(const double*, double&, std::int64_t);
template bool cholesky_of_few(const float*, float*, std::int64_t);
template bool cholesky_of_few(const double*, double*, std::int64_t);
template void invert_by_cholesky(const float*, float*, std::int64_t);
template void invert_by_cholesky(const double*, double*, std::int64_t);
template void invert_few_triangular(const float*, float*, std::int64_t, bool);
template void invert_few_triangular(const double*, double*, std::int64_t, bool);

}  // namespace lac::runtime
