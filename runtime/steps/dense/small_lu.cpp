#include "runtime/steps/dense/small_lu.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace lac::runtime {
namespace {

VectorIsa machine() {
  static const VectorIsa here = [] {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return VectorIsa::sse2;
    const bool wide =
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    return wide ? VectorIsa::avx512f : VectorIsa::avx2;
  }();
  return here;
}

template <class T>
const SmallLuCode<T>& code_for(VectorIsa isa, int n) {
  return isa == VectorIsa::avx512f ? small_lu_avx512<T>(n) : small_lu_avx2<T>(n);
}

template <class T>
T sum_of_magnitudes(const T* x, int n) {
  T sum = 0;
  for (int i = 0; i < n; ++i) sum += std::abs(x[i]);
  return sum;
}

}  // namespace

template <class T>
SmallLu<T>::SmallLu() : isa_(machine()) {}

template <class T>
bool SmallLu<T>::factor(int n, const T* a) {
  if (!has_fma(isa_)) return false;
  n_ = n;
  return code_for<T>(isa_, n).factor(*this, a);
}

template <class T>
void SmallLu<T>::store(T* lu) const {
  code_for<T>(isa_, n_).store(*this, lu);
}

template <class T>
void SmallLu<T>::solve(int m, const T* b, T* x) const {
  code_for<T>(isa_, n_).solve(*this, m, b, x);
}

template <class T>
T SmallLu<T>::reciprocal_condition(T norm) const {
  if (zero_pivot_ != 0) return 0;
  const SmallLuCode<T>& code = code_for<T>(isa_, n_);
  alignas(64) T transposed[most_of_small_lu * most_leading];
  for (int j = 0; j < n_; ++j)
    for (int i = 0; i < n_; ++i) transposed[i * leading_ + j] = lu_[j * leading_ + i];
  // What the estimate starts with, and beside it what it looks at last: signs that alternate, growing.
  alignas(64) T x[2 * most_leading] = {};
  T* const last = x + leading_;
  for (int i = 0; i < n_; ++i) {
    x[i] = T(1) / T(n_);
    last[i] = (i % 2 == 0 ? T(1) : T(-1)) * (T(1) + (n_ > 1 ? T(i) / T(n_ - 1) : T(0)));
  }
  code.apply_two(*this, lu_, x);
  T estimate = sum_of_magnitudes(x, n_);
  if (n_ > 1) {
    const T by_signs = 2 * (sum_of_magnitudes(last, n_) / T(3 * n_));
    estimate = std::max(largest_column(code, transposed, x, estimate), by_signs);
  }
  return T(1) / estimate / norm;
}

template <class T>
bool SmallLu<T>::is_surely_regular(const T* a) const {
  if (zero_pivot_ != 0) return false;
  std::array<T, most_of_small_lu> rows = {};
  T row = 0, column = 0;
  for (int j = 0; j < n_; ++j) {
    T sum = 0;
    for (int i = 0; i < n_; ++i) {
      sum += std::abs(a[j * n_ + i]);
      rows[static_cast<std::size_t>(i)] += std::abs(a[j * n_ + i]);
    }
    column = std::max(column, sum);
  }
  for (int i = 0; i < n_; ++i) row = std::max(row, rows[static_cast<std::size_t>(i)]);
  // The estimate is in another norm, at most n^2 away.
  const T least = T(16 * n_ * n_) * std::numeric_limits<T>::epsilon();
  return row * bound_of_inverse() < 1 / least || runtime::is_surely_regular(reciprocal_condition(column));
}

// The largest row sum of A^-1 is no larger; NaN where something overflows.
template <class T>
T SmallLu<T>::bound_of_inverse() const {
  alignas(64) T majorant[most_of_small_lu * most_leading];
  for (int k = 0; k < n_ * leading_; ++k) majorant[k] = -std::abs(lu_[k]);
  for (int j = 0; j < n_; ++j) majorant[j * leading_ + j] *= -1;
  alignas(64) T x[most_leading] = {};
  std::fill_n(x, n_, T(1));
  code_for<T>(isa_, n_).apply_one(*this, majorant, x);
  T largest = 0;
  for (int i = 0; i < n_; ++i) largest = x[i] > largest || std::isnan(x[i]) ? x[i] : largest;
  return largest;
}

template <class T>
bool SmallLu<T>::has_sure_pivots() const {
  T largest = 0, smallest = std::numeric_limits<T>::infinity();
  for (int j = 0; j < n_; ++j) {
    for (int i = 0; i <= j; ++i) largest = std::max(largest, std::abs(lu_[j * leading_ + i]));
    smallest = std::min(smallest, std::abs(lu_[j * leading_ + j]));
  }
  return smallest > T(128 * n_) * std::numeric_limits<T>::epsilon() * largest;
}

// The columns of A^-1 that the signs of those before it point at, while they grow.
template <class T>
T SmallLu<T>::largest_column(const SmallLuCode<T>& code, const T* transposed, T* x, T estimate) const {
  constexpr int most_columns = 5;
  std::array<T, most_of_small_lu> signs = {};
  int column = -1;
  for (int n = 0; n < most_columns; ++n) {
    bool same = n > 0;
    for (int i = 0; i < n_; ++i) {
      const T sign = x[i] >= 0 ? T(1) : T(-1);
      same &= sign == signs[i];
      signs[i] = x[i] = sign;
    }
    if (same) break;
    code.apply_transposed(*this, transposed, x);
    int largest = 0;
    for (int i = 1; i < n_; ++i)
      if (std::abs(x[i]) > std::abs(x[largest])) largest = i;
    if (column >= 0 && x[column] == std::abs(x[largest])) break;
    column = largest;
    std::fill_n(x, leading_, T(0));
    x[column] = 1;
    code.apply_one(*this, lu_, x);
    const T sum = sum_of_magnitudes(x, n_);
    if (sum <= estimate) break;
    estimate = sum;
  }
  return estimate;
}

template class SmallLu<float>;
template class SmallLu<double>;

}  // namespace lac::runtime
