#include "runtime/library/small_solve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace lac::runtime {
namespace {

template <class T>
bool is_lower(const T* a, std::int64_t n) {
  for (std::int64_t j = 1; j < n; ++j)
    for (std::int64_t i = 0; i < j; ++i)
      if (a[j * n + i] != 0) return false;
  return true;
}

/// NaN, once met, stays.
template <class T>
T larger(T a, T b) {
  return b > a || std::isnan(b) ? b : a;
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

  T norm() const {
    T largest = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      T sum = 0;
      for (std::int64_t j = 0; j < n; ++j) sum += std::abs(at(i, j));
      largest = larger(largest, sum);
    }
    return largest;
  }

  void exchange(std::int64_t k, std::int64_t with) {
    if (k == with) return;
    for (std::int64_t j = 0; j < n; ++j) std::swap(at(k, j), at(with, j));
    std::swap(rows[static_cast<std::size_t>(k)], rows[static_cast<std::size_t>(with)]);
  }

  void factor() {
    for (std::int64_t k = 0; k < n; ++k) {
      std::int64_t pivot = k;
      for (std::int64_t i = k + 1; i < n; ++i)
        if (std::abs(at(i, k)) > std::abs(at(pivot, k))) pivot = i;
      exchange(k, pivot);
      for (std::int64_t i = k + 1; i < n; ++i) {
        const T factor = at(i, k) / at(k, k);
        at(i, k) = factor;
        for (std::int64_t j = k + 1; j < n; ++j) at(i, j) -= factor * at(k, j);
      }
    }
  }

  /// The largest element of M(U)^-1 * 1.
  T bound_of_inverse() const {
    std::array<T, most_small_unknowns> y;
    T largest = 0;
    for (std::int64_t i = n - 1; i >= 0; --i) {
      T sum = 1;
      for (std::int64_t j = i + 1; j < n; ++j) sum += std::abs(at(i, j)) * y[static_cast<std::size_t>(j)];
      y[static_cast<std::size_t>(i)] = sum / std::abs(at(i, i));
      largest = larger(largest, y[static_cast<std::size_t>(i)]);
    }
    return largest;
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
  Factors<T> factors(a, n);
  const T norm = factors.norm();
  factors.factor();
  const T inverse = std::ldexp(factors.bound_of_inverse(), static_cast<int>(n - 1));
  // LAPACK's estimate is in another norm, at most n^2 away; what is near is LAPACK's to judge.
  const T least = T(16 * n * n) * std::numeric_limits<T>::epsilon();
  if (!(norm * inverse < 1 / least)) return false;  // NaN is not
  for (std::int64_t j = 0; j < m; ++j) factors.solve(b + j * n, x + j * n);
  return true;
}

template bool solve_small(const float*, const float*, float*, std::int64_t, std::int64_t);
template bool solve_small(const double*, const double*, double*, std::int64_t, std::int64_t);

}  // namespace lac::runtime
