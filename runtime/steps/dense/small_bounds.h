// Bounds that tell of a few rows that a matrix is far from singular (N. J. Higham, Accuracy and Stability of Numerical
// Algorithms, 2nd ed., section 8.3). NaN, once met, stays, and is far from nothing.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "ir/plan/small_system.h"

namespace lac::runtime {

template <class T>
T larger(T a, T b) {
  return b > a || std::isnan(b) ? b : a;
}

/// Of an n x n upper triangle U, column-major, of which the rest is not read: the largest element of M(U)^-1 * 1, at
/// least the largest row sum of U^-1, M(U) being U with abs of its diagonal and -abs of the rest.
template <class T>
T bound_of_upper_inverse(const T* u, std::int64_t n) {
  std::array<T, most_small_unknowns> rows;
  T largest = 0;
  for (std::int64_t i = n - 1; i >= 0; --i) {
    T sum = 1;
    for (std::int64_t k = i + 1; k < n; ++k) sum += std::abs(u[k * n + i]) * rows[static_cast<std::size_t>(k)];
    rows[static_cast<std::size_t>(i)] = sum / std::abs(u[i * n + i]);
    largest = larger(largest, rows[static_cast<std::size_t>(i)]);
  }
  return largest;
}

template <class T>
T largest_row_sum(const T* a, std::int64_t n) {
  std::array<T, most_small_unknowns> sums = {};
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i < n; ++i) sums[static_cast<std::size_t>(i)] += std::abs(a[j * n + i]);
  T largest = 0;
  for (const T sum : sums) largest = larger(largest, sum);
  return largest;
}

/// By a bound of the norm of A^-1. LAPACK's estimate is in another norm, at most n^2 away; what is near is LAPACK's to
/// judge.
template <class T>
bool is_far_from_singular(const T* a, T bound_of_inverse, std::int64_t n) {
  const T least = T(16 * n * n) * std::numeric_limits<T>::epsilon();
  return largest_row_sum(a, n) * bound_of_inverse < 1 / least;  // NaN is not
}

}  // namespace lac::runtime
