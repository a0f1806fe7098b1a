// LU factors of small matrices: LAPACK's calls take longer than the arithmetic.
#pragma once

#include <limits>

#include "ir/plan/vector_isa.h"

namespace lac::runtime {

/// Rows and columns at most.
inline constexpr int most_of_small_lu = 40;

template <class T>
class SmallLu;

/// The vector code of one kind of machine: SmallLu's functions of these names.
template <class T>
struct SmallLuCode {
  bool (*factor)(SmallLu<T>& factors, const T* a);
  void (*store)(const SmallLu<T>& factors, T* lu);
  void (*solve)(const SmallLu<T>& factors, int m, const T* b, T* x);
  /// x = (L*U)^-1 x for one column or two, x and x + leading, of factors at `lu`; x = (L*U)^-T x for one, of factors
  /// whose transpose is at `lu`. Both as large as those of `factors`.
  void (*apply_one)(const SmallLu<T>& factors, const T* lu, T* x);
  void (*apply_two)(const SmallLu<T>& factors, const T* lu, T* x);
  void (*apply_transposed)(const SmallLu<T>& factors, const T* lu, T* x);
};

/// A(rows, :) = L*U of an n x n matrix by partial pivoting, with vector code made for n or for the registers that its
/// columns take (small_lu_steps.h). Pivots are those of xGETRF, and of equal ones the first; each product and
/// difference is one fma, in the order of k, so that all machines which have this code get the same bits.
template <class T>
class SmallLu {
 public:
  /// With the code of the machine at hand, or of another whose instructions it has.
  SmallLu();
  explicit SmallLu(VectorIsa isa) : isa_(isa) {}

  /// Factors the matrix at `a` (column-major, 1 <= n <= most_of_small_lu). False where the machine has no code for it,
  /// and where an element is or becomes Inf or NaN: what happens then is LAPACK's to say. Nothing else may be called.
  bool factor(int n, const T* a);

  /// The number of the first pivot that is zero, from 1; 0 without one (INFO of xGETRF).
  int zero_pivot() const { return zero_pivot_; }
  /// Row k + 1 was exchanged with row pivots()[k], in this order (IPIV of xGETRF).
  const int* pivots() const { return pivots_; }
  /// U above, and below it L without its diagonal of ones: n x n, column-major.
  void store(T* lu) const;
  /// x = A^-1 b for n x m matrices, column-major; x may be b. Without zero pivots.
  void solve(int m, const T* b, T* x) const;
  /// det(A), kept as a product of n numbers in `multiply`'s order.
  template <class F>
  void each_factor_of_determinant(F&& multiply) const {
    for (int k = 0; k < n_; ++k) {
      const T pivot = lu_[k * leading_ + k];
      multiply(pivots_[k] != k + 1 ? -pivot : pivot);
    }
  }
  /// An estimate of 1 / (norm * norm1(A^-1)), 0 where a pivot is zero, as xGECON's (N. J. Higham, FORTRAN codes for
  /// estimating the one-norm of a real or complex matrix, ACM TOMS 14, 1988); NaN where something overflows.
  T reciprocal_condition(T norm) const;
  /// Whether A, which is at `a` again, is so far from singular that nobody is warned, whoever factors it. By a bound,
  ///
  ///   |A^-1| * 1 <= M(U)^-1 * M(L)^-1 * 1,
  ///
  /// M(U) being U with abs of its diagonal and -abs of the rest (N. J. Higham, Accuracy and Stability of Numerical
  /// Algorithms, 2nd ed., section 8.3); where that does not tell, by the estimate, which takes several passes.
  bool is_surely_regular(const T* a) const;
  /// Whether no pivot is so small that it may be rounding errors alone: then what follows is of the same numbers, to
  /// rounding, whoever factors it.
  bool has_sure_pivots() const;

 private:
  template <class R>
  friend struct SmallLuSteps;
  T bound_of_inverse() const;
  T largest_column(const SmallLuCode<T>& code, const T* transposed, T* x, T estimate) const;

  static constexpr int most_leading = most_of_small_lu + 8;

  VectorIsa isa_;
  int n_ = 0, zero_pivot_ = 0;
  int leading_ = 0;  ///< elements from column to column: whole registers
  int pivots_[most_of_small_lu];
  alignas(64) T lu_[most_of_small_lu * most_leading];
};

/// An estimate that says so: those of two factorisations differ by rounding errors, and Octave warns below eps.
template <class T>
bool is_surely_regular(T reciprocal_condition) {
  return reciprocal_condition > 128 * std::numeric_limits<T>::epsilon();
}

extern template class SmallLu<float>;
extern template class SmallLu<double>;

/// With AVX2 and fma; with AVX-512 (F, VL, DQ).
template <class T>
const SmallLuCode<T>& small_lu_avx2(int n);
template <class T>
const SmallLuCode<T>& small_lu_avx512(int n);

}  // namespace lac::runtime
