// LAPACK and BLAS with one name for both precisions. Column-major. While lac is inside a call, OpenBLAS works on the
// calling thread (results must not depend on a thread count) and LAPACKE refuses no NaN (they flow through, as in
// Octave); what the host had chosen holds before and after.
//
// The libraries are loaded by the first call, for lac alone (RTLD_LOCAL) and without threads where the host has not
// loaded them before: their size and OpenBLAS's threads would double the start of the many programs that never call
// them.
#pragma once

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "ir/support/result.h"
#include "runtime/stop.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime::lapack {

/// Lives around one or several calls of the libraries. Throws ResourceError, with the package to install, where they
/// cannot be loaded, and std::bad_alloc where OpenBLAS would find no room to work. Thread-safe.
class Call {
 public:
  Call();
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// The address of a function of LAPACKE or OpenBLAS.
  void* function(const char* name) const;
};

/// A function by name; called like a function. Before the call it hears that the run is to end.
template <class Signature>
struct Loaded;
template <class R, class... Parameters>
struct Loaded<R(Parameters...)> {
  const char* name;
  R operator()(Parameters... arguments) const {
    poll_stop();
    const Call call;
    return reinterpret_cast<R (*)(Parameters...)>(call.function(name))(arguments...);
  }
};

template <class T>
struct Functions;

#define LAC_FOR_EACH_LAPACK_FUNCTION(X, p)                      \
  X(p, getrf)                                                   \
  X(p, getrs)                                                   \
  X(p, getri)                                                   \
  X(p, gecon) /* LU */                                          \
  X(p, potrf)                                                   \
  X(p, potrs)                                                   \
  X(p, potri)                                                   \
  X(p, pocon) /* Cholesky */                                    \
  X(p, trtrs)                                                   \
  X(p, trtri)                                                   \
  X(p, trcon) /* triangular */                                  \
  X(p, pbtrf)                                                   \
  X(p, pbtrs)                                                   \
  X(p, gbtrf)                                                   \
  X(p, gbtrs) /* banded */                                      \
  X(p, geqrf)                                                   \
  X(p, geqp3)                                                   \
  X(p, orgqr)                                                   \
  X(p, gelsd)                                                   \
  X(p, gesvd)                                  /* orthogonal */ \
  X(p, syev) X(p, geevx) X(p, sygv) X(p, ggev) /* eigenvalues */
#define LAC_LAPACK_FUNCTION(p, f) static constexpr Loaded<decltype(LAPACKE_##p##f)> f{"LAPACKE_" #p #f};

template <>
struct Functions<float> {
  LAC_FOR_EACH_LAPACK_FUNCTION(LAC_LAPACK_FUNCTION, s)
  static constexpr Loaded<decltype(cblas_sgemm)> gemm{"cblas_sgemm"};
};

template <>
struct Functions<double> {
  LAC_FOR_EACH_LAPACK_FUNCTION(LAC_LAPACK_FUNCTION, d)
  static constexpr Loaded<decltype(cblas_dgemm)> gemm{"cblas_dgemm"};
};

#undef LAC_LAPACK_FUNCTION
#undef LAC_FOR_EACH_LAPACK_FUNCTION

/// LAPACK counts with int: larger extents are refused by name.
bool fits(const Tensor& tensor);

template <class T>
struct Matrix {
  explicit Matrix(Tensor source) : tensor(std::move(source)), data(tensor.mutable_values<T>()) {}
  int rows() const { return static_cast<int>(tensor.rows()); }
  int cols() const { return static_cast<int>(tensor.cols()); }
  int leading() const { return rows() > 0 ? rows() : 1; }
  T& at(int i, int j) { return data[static_cast<std::int64_t>(j) * rows() + i]; }
  const T& at(int i, int j) const { return data[static_cast<std::int64_t>(j) * rows() + i]; }

  Tensor tensor;
  T* data;
};

template <class T>
constexpr Element element_of() {
  return std::is_same_v<T, float> ? Element::single : Element::real;
}

/// A zero matrix.
template <class T>
Matrix<T> zeros(std::int64_t rows, std::int64_t cols) {
  return Matrix<T>(Tensor::dense(element_of<T>(), rows, cols));
}

/// C = op(A) * op(B), m x n over `inner`, by columns of C: how many at a time depends on sizes alone.
template <class T>
void multiply(CBLAS_TRANSPOSE op_a, CBLAS_TRANSPOSE op_b, int m, int n, int inner, const T* a, int leading_a,
              const T* b, int leading_b, T* c, int leading_c) {
  constexpr std::int64_t most = std::int64_t{1} << 30;  // multiplications: some tenths of a second
  const std::int64_t a_column = std::max<std::int64_t>(1, static_cast<std::int64_t>(m) * inner);
  const int part = static_cast<int>(std::clamp<std::int64_t>(most / a_column / 64 * 64, 64, std::max(n, 64)));
  for (int j = 0; j < n; j += part) {
    const T* columns = b + static_cast<std::int64_t>(j) * (op_b == CblasNoTrans ? leading_b : 1);
    Functions<T>::gemm(CblasColMajor, op_a, op_b, m, std::min(part, n - j), inner, 1, a, leading_a, columns, leading_b,
                       0, c + static_cast<std::int64_t>(j) * leading_c, leading_c);
  }
}

/// op(A) * op(B), where op transposes if asked for.
template <class T>
Matrix<T> product(const Matrix<T>& a, const Matrix<T>& b, bool transpose_a = false, bool transpose_b = false) {
  const int m = transpose_a ? a.cols() : a.rows(), n = transpose_b ? b.rows() : b.cols();
  const int inner = transpose_a ? a.rows() : a.cols();
  Matrix<T> c = zeros<T>(m, n);
  if (m == 0 || n == 0 || inner == 0) return c;
  multiply<T>(transpose_a ? CblasTrans : CblasNoTrans, transpose_b ? CblasTrans : CblasNoTrans, m, n, inner, a.data,
              a.leading(), b.data, b.leading(), c.data, c.leading());
  return c;
}

template <class T>
bool all_finite(const Matrix<T>& a) {
  for (std::int64_t k = 0; k < a.tensor.count(); ++k)
    if (!std::isfinite(a.data[k])) return false;
  return true;
}

template <class T>
bool is_symmetric(const Matrix<T>& a) {
  if (a.rows() != a.cols()) return false;
  for (int j = 0; j < a.cols(); ++j)
    for (int i = 0; i < j; ++i)
      if (a.at(i, j) != a.at(j, i)) return false;
  return true;
}

/// How Octave classifies a square matrix by its values before solving with it.
enum class Shape : std::uint8_t { upper, lower, positive, full };

template <class T>
Shape shape_of(Matrix<T>& a) {
  const int n = a.rows();
  bool upper = true, lower = true, positive = true;
  for (int i = 0; i < n; ++i) {
    upper = upper && a.at(i, i) != 0;
    positive = positive && a.at(i, i) > 0;
  }
  lower = upper;
  for (int j = 0; j < n && (upper || lower || positive); ++j)
    for (int i = 0; i < j; ++i) {
      const T above = a.at(i, j), below = a.at(j, i);
      lower = lower && above == 0;
      upper = upper && below == 0;
      positive = positive && above == below && above * above < a.at(i, i) * a.at(j, j);
    }
  return upper ? Shape::upper : lower ? Shape::lower : positive ? Shape::positive : Shape::full;
}

/// The 1-norm; NaN if any column sum is.
template <class T>
T norm1(Matrix<T>& a) {
  T norm = 0;
  for (int j = 0; j < a.cols(); ++j) {
    T sum = 0;
    for (int i = 0; i < a.rows(); ++i) sum += a.at(i, j) < 0 ? -a.at(i, j) : a.at(i, j);
    if (!(sum <= norm)) norm = sum;
  }
  return norm;
}

}  // namespace lac::runtime::lapack
