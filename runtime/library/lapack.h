// LAPACK and BLAS with one name for both precisions. Column-major; OpenBLAS is kept on the calling thread (results must
// not depend on a thread count) and LAPACKE's NaN refusal is off (NaN flows through, as in Octave).
#pragma once

#include <lapacke.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "ir/support/result.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime::lapack {

template <class T>
struct Functions;

template <>
struct Functions<float> {
  static constexpr auto getrf = LAPACKE_sgetrf;
  static constexpr auto getrs = LAPACKE_sgetrs;
  static constexpr auto getri = LAPACKE_sgetri;
  static constexpr auto gecon = LAPACKE_sgecon;
  static constexpr auto potrf = LAPACKE_spotrf;
  static constexpr auto potrs = LAPACKE_spotrs;
  static constexpr auto potri = LAPACKE_spotri;
  static constexpr auto pocon = LAPACKE_spocon;
  static constexpr auto trtrs = LAPACKE_strtrs;
  static constexpr auto trtri = LAPACKE_strtri;
  static constexpr auto trcon = LAPACKE_strcon;
  static constexpr auto gelsd = LAPACKE_sgelsd;
};

template <>
struct Functions<double> {
  static constexpr auto getrf = LAPACKE_dgetrf;
  static constexpr auto getrs = LAPACKE_dgetrs;
  static constexpr auto getri = LAPACKE_dgetri;
  static constexpr auto gecon = LAPACKE_dgecon;
  static constexpr auto potrf = LAPACKE_dpotrf;
  static constexpr auto potrs = LAPACKE_dpotrs;
  static constexpr auto potri = LAPACKE_dpotri;
  static constexpr auto pocon = LAPACKE_dpocon;
  static constexpr auto trtrs = LAPACKE_dtrtrs;
  static constexpr auto trtri = LAPACKE_dtrtri;
  static constexpr auto trcon = LAPACKE_dtrcon;
  static constexpr auto gelsd = LAPACKE_dgelsd;
};

/// Once per process, before the first call: one thread, no NaN refusal.
void configure();

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
