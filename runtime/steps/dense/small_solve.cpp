#include "runtime/steps/dense/small_solve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "runtime/steps/dense/small_bounds.h"
#include "runtime/steps/dense/small_lu.h"

namespace lac::runtime {
namespace {

/// Up to here products are rounded before they are subtracted, as LAPACK does for so few: the elements of finite
/// elements then cancel to zeros that are exact, which programs count.
constexpr std::int64_t most_exact_unknowns = 4;

template <class T>
bool is_lower(const T* a, std::int64_t n) {
  for (std::int64_t j = 1; j < n; ++j)
    for (std::int64_t i = 0; i < j; ++i)
      if (a[j * n + i] != 0) return false;
  return true;
}

/// Symmetric with a positive diagonal: perhaps positive definite, and then pivots are positive without exchanges.
/// Octave tries Cholesky there; with its signs of zeros.
template <class T>
bool may_be_positive(const T* a, std::int64_t n) {
  for (std::int64_t j = 0; j < n; ++j) {
    if (!(a[j * n + j] > 0)) return false;
    for (std::int64_t i = 0; i < j; ++i)
      if (a[j * n + i] != a[i * n + j]) return false;
  }
  return true;
}

/// A(rows, columns) = L*U, first of all with L = I.
template <class T>
struct Factors {
  std::int64_t n;
  std::array<T, most_small_unknowns * most_small_unknowns> lu;
  std::array<std::int64_t, most_small_unknowns> rows = {}, columns = {};

  /// Lower triangles from their last row and column on: then they are upper ones, and nothing is left to factor.
  Factors(const T* a, std::int64_t n) : n(n) {
    const bool reversed = is_lower(a, n);
    for (std::int64_t k = 0; k < n; ++k) rows[static_cast<std::size_t>(k)] = reversed ? n - 1 - k : k;
    columns = rows;
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i < n; ++i)
        at(i, j) = a[columns[static_cast<std::size_t>(j)] * n + rows[static_cast<std::size_t>(i)]];
  }

  T& at(std::int64_t i, std::int64_t j) { return lu[static_cast<std::size_t>(j * n + i)]; }
  T at(std::int64_t i, std::int64_t j) const { return lu[static_cast<std::size_t>(j * n + i)]; }

  void exchange(std::int64_t k, std::int64_t with) {
    if (k == with) return;
    for (std::int64_t j = 0; j < n; ++j) std::swap(at(k, j), at(with, j));
    std::swap(rows[static_cast<std::size_t>(k)], rows[static_cast<std::size_t>(with)]);
  }

  /// Without exchanges false where a pivot is not positive.
  bool factor(bool exchanges) {
    for (std::int64_t k = 0; k < n; ++k) {
      std::int64_t pivot = k;
      if (!exchanges && !(at(k, k) > 0)) return false;
      for (std::int64_t i = k + 1; i < n && exchanges; ++i)
        if (std::abs(at(i, k)) > std::abs(at(pivot, k))) pivot = i;
      exchange(k, pivot);
      for (std::int64_t i = k + 1; i < n; ++i) {
        const T factor = at(i, k) / at(k, k);
        at(i, k) = factor;
        for (std::int64_t j = k + 1; j < n; ++j) at(i, j) -= factor * at(k, j);
      }
    }
    return true;
  }

  /// At least the norm of A^-1: the largest elements of M(U)^-1 * 1 and M(L)^-1 * 1.
  T bound_of_inverse() const {
    std::array<T, most_small_unknowns> l;
    T largest_l = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      T sum = 1;
      for (std::int64_t j = 0; j < i; ++j) sum += std::abs(at(i, j)) * l[static_cast<std::size_t>(j)];
      l[static_cast<std::size_t>(i)] = sum;
      largest_l = larger(largest_l, sum);
    }
    return bound_of_upper_inverse(lu.data(), n) * largest_l;
  }

  void solve(const T* b, T* x) const {
    std::array<T, most_small_unknowns> y;
    for (std::int64_t i = 0; i < n; ++i) {
      T sum = b[rows[static_cast<std::size_t>(i)]];
      for (std::int64_t j = 0; j < i; ++j) sum -= at(i, j) * y[static_cast<std::size_t>(j)];
      y[static_cast<std::size_t>(i)] = sum;
    }
    for (std::int64_t i = n - 1; i >= 0; --i) {
      T sum = y[static_cast<std::size_t>(i)];
      for (std::int64_t j = i + 1; j < n; ++j) sum -= at(i, j) * y[static_cast<std::size_t>(j)];
      y[static_cast<std::size_t>(i)] = sum / at(i, i);
    }
    for (std::int64_t i = 0; i < n; ++i) x[columns[static_cast<std::size_t>(i)]] = y[static_cast<std::size_t>(i)];
  }
};

}  // namespace

template <class T>
bool solve_small(const T* a, const T* b, T* x, std::int64_t n, std::int64_t m) {
  const bool positive = may_be_positive(a, n);
  if (SmallLu<T> lu; n > most_exact_unknowns && !positive && !is_lower(a, n) && lu.factor(static_cast<int>(n), a)) {
    if (!lu.is_surely_regular(a)) return false;
    lu.solve(static_cast<int>(m), b, x);
    return true;
  }
  Factors<T> factors(a, n);
  if (!positive || !factors.factor(false)) {
    factors = Factors<T>(a, n);
    factors.factor(true);
  }
  if (!is_far_from_singular(a, factors.bound_of_inverse(), n)) return false;
  for (std::int64_t j = 0; j < m; ++j) factors.solve(b + j * n, x + j * n);
  return true;
}

template bool solve_small(const float*, const float*, float*, std::int64_t, std::int64_t);
template bool solve_small(const double*, const double*, double*, std::int64_t, std::int64_t);

}  // namespace lac::runtime
