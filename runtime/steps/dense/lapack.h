// LAPACK and BLAS with one name for both precisions. Column-major. While lac is inside a call, OpenBLAS works on the
// calling thread (results must not depend on a thread count); what the host had chosen holds before and after.
//
// OpenBLAS, which holds LAPACK's routines under their Fortran names, is loaded by the first call, for lac alone
// (RTLD_LOCAL) and without threads where the host has not loaded it before: its size and its threads would double the
// start of the many programs that never call it. The C layer LAPACKE is a library of its own whose loading takes longer
// than all the rest, for what stands below.
#pragma once

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ir/support/result.h"
#include "runtime/stop.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime::lapack {

/// Lives around one or several calls of the library. Throws ResourceError, with the package to install, where it
/// cannot be loaded, and std::bad_alloc where OpenBLAS would find no room to work. Thread-safe.
class Call {
 public:
  Call();
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// The address of a function of OpenBLAS.
  void* function(const char* name) const;
};

namespace detail {

/// Fortran takes every argument by its address.
template <class T>
auto by_address(T& argument) {
  if constexpr (std::is_pointer_v<T>) return argument;
  else return &argument;
}

template <std::size_t>
using LengthOfText = std::size_t;

template <class... Arguments, std::size_t... Text>
int call_fortran(const char* name, std::index_sequence<Text...>, Arguments... arguments) {
  poll_stop();
  const Call call;
  int info = 0;
  using Routine = void (*)(decltype(by_address(arguments))..., int*, LengthOfText<Text>...);
  reinterpret_cast<Routine>(call.function(name))(by_address(arguments)..., &info, LengthOfText<Text>{1}...);
  return info;
}

/// WORK or IWORK of the size that a routine asked for.
template <class T>
std::vector<T> workspace(T wanted) {
  return std::vector<T>(static_cast<std::size_t>(std::max(1, static_cast<int>(wanted))));
}

}  // namespace detail

/// A routine of LAPACK for elements of T. Every call gives INFO: 0, or what the routine's own page says. Before a call
/// it hears that the run is to end.
template <class T>
class Routine {
 public:
  explicit Routine(const char* name)
      : name_(std::string(1, std::is_same_v<T, float> ? 's' : 'd').append(name).append("_")) {}

  /// All arguments but INFO; the lengths of the characters among them follow it.
  template <class... Arguments>
  int operator()(Arguments... arguments) const {
    constexpr std::size_t characters = (0 + ... + (std::is_same_v<Arguments, char> ? 1 : 0));
    return detail::call_fortran(name_.c_str(), std::make_index_sequence<characters>(), arguments...);
  }

  /// All arguments but WORK, LWORK and INFO: the routine is asked for the size of WORK.
  template <class... Arguments>
  int with_workspace(Arguments... arguments) const {
    T wanted = 0;
    const int info = (*this)(arguments..., &wanted, -1);
    if (info != 0) return info;
    std::vector<T> work = detail::workspace(wanted);
    return (*this)(arguments..., work.data(), static_cast<int>(work.size()));
  }

 private:
  std::string name_;
};

/// The routines in use, with the arguments of LAPACK's own pages but for workspace and INFO, which they give.
template <class T>
struct Functions {
  // LU
  static int getrf(int m, int n, T* a, int lda, int* pivots) { return Routine<T>("getrf")(m, n, a, lda, pivots); }
  static int getrs(char op, int n, int columns, const T* a, int lda, const int* pivots, T* b, int ldb) {
    return Routine<T>("getrs")(op, n, columns, a, lda, pivots, b, ldb);
  }
  static int getri(int n, T* a, int lda, const int* pivots) {
    return Routine<T>("getri").with_workspace(n, a, lda, pivots);
  }
  static int gecon(char norm, int n, const T* a, int lda, T norm_of_a, T* rcond) {
    return condition("gecon", 4, n, norm, n, a, lda, norm_of_a, rcond);
  }

  // Cholesky
  static int potrf(char triangle, int n, T* a, int lda) { return Routine<T>("potrf")(triangle, n, a, lda); }
  static int potrs(char triangle, int n, int columns, const T* a, int lda, T* b, int ldb) {
    return Routine<T>("potrs")(triangle, n, columns, a, lda, b, ldb);
  }
  static int potri(char triangle, int n, T* a, int lda) { return Routine<T>("potri")(triangle, n, a, lda); }
  static int pocon(char triangle, int n, const T* a, int lda, T norm_of_a, T* rcond) {
    return condition("pocon", 3, n, triangle, n, a, lda, norm_of_a, rcond);
  }

  // Triangular
  static int trtrs(char triangle, char op, char diagonal, int n, int columns, const T* a, int lda, T* b, int ldb) {
    return Routine<T>("trtrs")(triangle, op, diagonal, n, columns, a, lda, b, ldb);
  }
  static int trtri(char triangle, char diagonal, int n, T* a, int lda) {
    return Routine<T>("trtri")(triangle, diagonal, n, a, lda);
  }
  static int trcon(char norm, char triangle, char diagonal, int n, const T* a, int lda, T* rcond) {
    return condition("trcon", 3, n, norm, triangle, diagonal, n, a, lda, rcond);
  }

  // Banded
  static int pbtrf(char triangle, int n, int width, T* band, int ldb) {
    return Routine<T>("pbtrf")(triangle, n, width, band, ldb);
  }
  static int pbtrs(char triangle, int n, int width, int columns, const T* band, int lda, T* b, int ldb) {
    return Routine<T>("pbtrs")(triangle, n, width, columns, band, lda, b, ldb);
  }
  static int gbtrf(int m, int n, int lower, int upper, T* band, int ldb, int* pivots) {
    return Routine<T>("gbtrf")(m, n, lower, upper, band, ldb, pivots);
  }
  static int gbtrs(char op, int n, int lower, int upper, int columns, const T* band, int lda, const int* pivots, T* b,
                   int ldb) {
    return Routine<T>("gbtrs")(op, n, lower, upper, columns, band, lda, pivots, b, ldb);
  }

  // Orthogonal
  static int geqrf(int m, int n, T* a, int lda, T* tau) {
    return Routine<T>("geqrf").with_workspace(m, n, a, lda, tau);
  }
  static int geqp3(int m, int n, T* a, int lda, int* columns, T* tau) {
    return Routine<T>("geqp3").with_workspace(m, n, a, lda, columns, tau);
  }
  static int orgqr(int m, int n, int reflections, T* a, int lda, const T* tau) {
    return Routine<T>("orgqr").with_workspace(m, n, reflections, a, lda, tau);
  }
  static int gelsd(int m, int n, int columns, T* a, int lda, T* b, int ldb, T* singular_values, T rcond, int* rank) {
    const Routine<T> routine("gelsd");
    T wanted = 0;
    int wanted_integers = 0;
    const int info =
        routine(m, n, columns, a, lda, b, ldb, singular_values, rcond, rank, &wanted, -1, &wanted_integers);
    if (info != 0) return info;
    std::vector<T> work = detail::workspace(wanted);
    std::vector<int> integers = detail::workspace(wanted_integers);
    return routine(m, n, columns, a, lda, b, ldb, singular_values, rcond, rank, work.data(),
                   static_cast<int>(work.size()), integers.data());
  }
  static int gesvd(char left, char right, int m, int n, T* a, int lda, T* values, T* u, int ldu, T* vt, int ldvt) {
    return Routine<T>("gesvd").with_workspace(left, right, m, n, a, lda, values, u, ldu, vt, ldvt);
  }

  // Eigenvalues
  static int syev(char vectors, char triangle, int n, T* a, int lda, T* values) {
    return Routine<T>("syev").with_workspace(vectors, triangle, n, a, lda, values);
  }
  static int sygv(int kind, char vectors, char triangle, int n, T* a, int lda, T* b, int ldb, T* values) {
    return Routine<T>("sygv").with_workspace(kind, vectors, triangle, n, a, lda, b, ldb, values);
  }
  static int ggev(char left, char right, int n, T* a, int lda, T* b, int ldb, T* real, T* imaginary, T* beta, T* vl,
                  int ldvl, T* vr, int ldvr) {
    return Routine<T>("ggev").with_workspace(left, right, n, a, lda, b, ldb, real, imaginary, beta, vl, ldvl, vr, ldvr);
  }
  /// geevx without condition numbers (SENSE = 'N').
  static int geev_balanced(char balance, char left, char right, int n, T* a, int lda, T* real, T* imaginary, T* vl,
                           int ldvl, T* vr, int ldvr) {
    const Routine<T> routine("geevx");
    std::vector<T> scale(static_cast<std::size_t>(n)), unused(static_cast<std::size_t>(n));
    std::vector<int> unused_integers(static_cast<std::size_t>(2 * n));
    int low = 0, high = 0;
    T norm = 0, wanted = 0;
    const auto call = [&](T* work, int size) {
      return routine(balance, left, right, 'N', n, a, lda, real, imaginary, vl, ldvl, vr, ldvr, &low, &high,
                     scale.data(), &norm, unused.data(), unused.data(), work, size, unused_integers.data());
    };
    if (const int info = call(&wanted, -1); info != 0) return info;
    std::vector<T> work = detail::workspace(wanted);
    return call(work.data(), static_cast<int>(work.size()));
  }

  /// BLAS through its C interface, which is OpenBLAS's own.
  static void gemm(CBLAS_TRANSPOSE op_a, CBLAS_TRANSPOSE op_b, int m, int n, int inner, const T* a, int lda, const T* b,
                   int ldb, T* c, int ldc) {
    using Signature = std::conditional_t<std::is_same_v<T, float>, decltype(cblas_sgemm), decltype(cblas_dgemm)>;
    poll_stop();
    const Call call;
    void* address = call.function(std::is_same_v<T, float> ? "cblas_sgemm" : "cblas_dgemm");
    reinterpret_cast<Signature*>(address)(CblasColMajor, op_a, op_b, m, n, inner, 1, a, lda, b, ldb, 0, c, ldc);
  }

  /// The upper triangle of C = op(A) * op(A)', n x n over `inner`.
  static void syrk(CBLAS_TRANSPOSE op, int n, int inner, const T* a, int lda, T* c, int ldc) {
    using Signature = std::conditional_t<std::is_same_v<T, float>, decltype(cblas_ssyrk), decltype(cblas_dsyrk)>;
    poll_stop();
    const Call call;
    void* address = call.function(std::is_same_v<T, float> ? "cblas_ssyrk" : "cblas_dsyrk");
    reinterpret_cast<Signature*>(address)(CblasColMajor, CblasUpper, op, n, inner, 1, a, lda, 0, c, ldc);
  }

 private:
  /// An estimate of a reciprocal condition number: WORK of `vectors` columns and IWORK of one.
  template <class... Arguments>
  static int condition(const char* name, int vectors, int n, Arguments... arguments) {
    std::vector<T> work(static_cast<std::size_t>(vectors) * static_cast<std::size_t>(std::max(1, n)));
    std::vector<int> integers(static_cast<std::size_t>(std::max(1, n)));
    return Routine<T>(name)(arguments..., work.data(), integers.data());
  }
};

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

/// Columns of an m x n product over `inner` that one call makes: some tenths of a second, and depending on sizes alone.
inline int columns_at_once(int m, int n, int inner) {
  constexpr std::int64_t most = std::int64_t{1} << 30;  // multiplications
  const std::int64_t column = std::max<std::int64_t>(1, static_cast<std::int64_t>(m) * inner);
  return static_cast<int>(std::clamp<std::int64_t>(most / column / 64 * 64, 64, std::max(n, 64)));
}

/// C = op(A) * op(B), m x n over `inner`, by columns of C.
template <class T>
void multiply(CBLAS_TRANSPOSE op_a, CBLAS_TRANSPOSE op_b, int m, int n, int inner, const T* a, int leading_a,
              const T* b, int leading_b, T* c, int leading_c) {
  const int part = columns_at_once(m, n, inner);
  for (int j = 0; j < n; j += part) {
    const T* columns = b + static_cast<std::int64_t>(j) * (op_b == CblasNoTrans ? leading_b : 1);
    Functions<T>::gemm(op_a, op_b, m, std::min(part, n - j), inner, a, leading_a, columns, leading_b,
                       c + static_cast<std::int64_t>(j) * leading_c, leading_c);
  }
}

/// C = A' * A (op: CblasTrans) or A * A', n x n over `inner`: its upper triangle by columns, then the lower one as it
/// is.
template <class T>
void gram(CBLAS_TRANSPOSE op, int n, int inner, const T* a, int leading, T* c) {
  const int part = columns_at_once(n, n, inner);
  const bool transposed = op == CblasTrans;
  for (int j = 0; j < n; j += part) {
    const int width = std::min(part, n - j);
    const T* columns = a + static_cast<std::int64_t>(j) * (transposed ? leading : 1);
    T* above = c + static_cast<std::int64_t>(j) * n;
    if (j > 0)
      Functions<T>::gemm(op, transposed ? CblasNoTrans : CblasTrans, j, width, inner, a, leading, columns, leading,
                         above, n);
    Functions<T>::syrk(op, width, inner, columns, leading, above + j, n);
  }
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < n; ++i) c[static_cast<std::int64_t>(j) * n + i] = c[static_cast<std::int64_t>(i) * n + j];
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
Shape shape_of(const T* a, std::int64_t n) {
  const auto at = [&](std::int64_t i, std::int64_t j) { return a[j * n + i]; };
  bool upper = true, lower = true, positive = true;
  for (std::int64_t i = 0; i < n; ++i) {
    upper = upper && at(i, i) != 0;
    positive = positive && at(i, i) > 0;
  }
  lower = upper;
  for (std::int64_t j = 0; j < n && (upper || lower || positive); ++j)
    for (std::int64_t i = 0; i < j; ++i) {
      const T above = at(i, j), below = at(j, i);
      lower = lower && above == 0;
      upper = upper && below == 0;
      positive = positive && above == below && above * above < at(i, i) * at(j, j);
    }
  return upper ? Shape::upper : lower ? Shape::lower : positive ? Shape::positive : Shape::full;
}
template <class T>
Shape shape_of(const Matrix<T>& a) {
  return shape_of(static_cast<const T*>(a.data), static_cast<std::int64_t>(a.rows()));
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
