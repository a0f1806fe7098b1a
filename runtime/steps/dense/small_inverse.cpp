#include "runtime/steps/dense/small_inverse.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/steps/dense/lapack.h"
#include "runtime/steps/dense/scaled_product.h"
#include "runtime/steps/dense/small_bounds.h"
#include "runtime/steps/dense/small_lu.h"

namespace lac::runtime {
namespace {

using lapack::Shape;

template <class T>
using Few = std::array<T, most_small_unknowns * most_small_unknowns>;

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

/// A triangular matrix, a lower one transposed.
template <class T>
Few<T> as_upper(const T* a, std::int64_t n, bool is_upper) {
  Few<T> u = {};
  if (is_upper) std::copy_n(a, n * n, u.data());
  else transpose(a, u.data(), n);
  return u;
}

/// At least the norm of (U'*U)^-1: of U^-1 once by rows and once by columns.
template <class T>
T bound_of_inverse(const T* u, std::int64_t n) {
  Few<T> reversed = {};  // U' from its last row and column on, an upper triangle again
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i <= j; ++i)
      reversed[static_cast<std::size_t>((n - 1 - i) * n + n - 1 - j)] = u[j * n + i];
  return bound_of_upper_inverse(u, n) * bound_of_upper_inverse(static_cast<const T*>(reversed.data()), n);
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
  const Few<T> u = as_upper(a, n, is_upper);
  Few<T> v = {};
  invert_upper(u.data(), v.data(), n);
  if (is_upper) std::copy_n(v.data(), n * n, x);
  else transpose(v.data(), x, n);
}

template <class T>
bool invert_few(const T* a, T* x, std::int64_t n) {
  const Shape shape = lapack::shape_of(a, n);
  if (shape == Shape::upper || shape == Shape::lower) {
    const Few<T> u = as_upper(a, n, shape == Shape::upper);
    if (!is_far_from_singular(a, bound_of_upper_inverse(u.data(), n), n)) return false;
    invert_few_triangular(a, x, n, shape == Shape::upper);
    return true;
  }
  if (Few<T> u; shape == Shape::positive && cholesky_of_few(a, u.data(), n)) {
    if (!is_far_from_singular(a, bound_of_inverse(static_cast<const T*>(u.data()), n), n)) return false;
    invert_by_cholesky(static_cast<const T*>(u.data()), x, n);
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
