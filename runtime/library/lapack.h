// LAPACK and BLAS with one name for both precisions. Column-major; OpenBLAS is kept on the calling thread (results must
// not depend on a thread count) and LAPACKE's NaN refusal is off (NaN flows through, as in Octave).
//
// The libraries are loaded by the first call: their size and OpenBLAS's threads would double the start of the many
// programs that never call them.
#pragma once

#include <cblas.h>
#include <lapacke.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "ir/support/result.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime::lapack {

/// The address of a function of LAPACKE or OpenBLAS. Throws InternalError, with the package to install, where they
/// cannot be loaded.
void* loaded_symbol(const char* name);

/// A function by name; called like a function.
template <class Signature>
struct Loaded;
template <class R, class... Parameters>
struct Loaded<R(Parameters...)> {
  const char* name;
  R operator()(Parameters... arguments) const {
    return reinterpret_cast<R (*)(Parameters...)>(loaded_symbol(name))(arguments...);
  }
};

template <class T>
struct Functions;

template <>
struct Functions<float> {
  static constexpr Loaded<decltype(LAPACKE_sgetrf)> getrf{"LAPACKE_sgetrf"};
  static constexpr Loaded<decltype(LAPACKE_sgetrs)> getrs{"LAPACKE_sgetrs"};
  static constexpr Loaded<decltype(LAPACKE_sgetri)> getri{"LAPACKE_sgetri"};
  static constexpr Loaded<decltype(LAPACKE_sgecon)> gecon{"LAPACKE_sgecon"};
  static constexpr Loaded<decltype(LAPACKE_spotrf)> potrf{"LAPACKE_spotrf"};
  static constexpr Loaded<decltype(LAPACKE_spotrs)> potrs{"LAPACKE_spotrs"};
  static constexpr Loaded<decltype(LAPACKE_spotri)> potri{"LAPACKE_spotri"};
  static constexpr Loaded<decltype(LAPACKE_spocon)> pocon{"LAPACKE_spocon"};
  static constexpr Loaded<decltype(LAPACKE_strtrs)> trtrs{"LAPACKE_strtrs"};
  static constexpr Loaded<decltype(LAPACKE_strtri)> trtri{"LAPACKE_strtri"};
  static constexpr Loaded<decltype(LAPACKE_strcon)> trcon{"LAPACKE_strcon"};
  static constexpr Loaded<decltype(LAPACKE_sgelsd)> gelsd{"LAPACKE_sgelsd"};
  static constexpr Loaded<decltype(cblas_sgemm)> gemm{"cblas_sgemm"};
};

template <>
struct Functions<double> {
  static constexpr Loaded<decltype(LAPACKE_dgetrf)> getrf{"LAPACKE_dgetrf"};
  static constexpr Loaded<decltype(LAPACKE_dgetrs)> getrs{"LAPACKE_dgetrs"};
  static constexpr Loaded<decltype(LAPACKE_dgetri)> getri{"LAPACKE_dgetri"};
  static constexpr Loaded<decltype(LAPACKE_dgecon)> gecon{"LAPACKE_dgecon"};
  static constexpr Loaded<decltype(LAPACKE_dpotrf)> potrf{"LAPACKE_dpotrf"};
  static constexpr Loaded<decltype(LAPACKE_dpotrs)> potrs{"LAPACKE_dpotrs"};
  static constexpr Loaded<decltype(LAPACKE_dpotri)> potri{"LAPACKE_dpotri"};
  static constexpr Loaded<decltype(LAPACKE_dpocon)> pocon{"LAPACKE_dpocon"};
  static constexpr Loaded<decltype(LAPACKE_dtrtrs)> trtrs{"LAPACKE_dtrtrs"};
  static constexpr Loaded<decltype(LAPACKE_dtrtri)> trtri{"LAPACKE_dtrtri"};
  static constexpr Loaded<decltype(LAPACKE_dtrcon)> trcon{"LAPACKE_dtrcon"};
  static constexpr Loaded<decltype(LAPACKE_dgelsd)> gelsd{"LAPACKE_dgelsd"};
  static constexpr Loaded<decltype(LAPACKE_dpbtrf)> pbtrf{"LAPACKE_dpbtrf"};
  static constexpr Loaded<decltype(LAPACKE_dpbtrs)> pbtrs{"LAPACKE_dpbtrs"};
  static constexpr Loaded<decltype(LAPACKE_dgbtrf)> gbtrf{"LAPACKE_dgbtrf"};
  static constexpr Loaded<decltype(LAPACKE_dgbtrs)> gbtrs{"LAPACKE_dgbtrs"};
  static constexpr Loaded<decltype(cblas_dgemm)> gemm{"cblas_dgemm"};
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

  Tensor tensor;
  T* data;
};

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
