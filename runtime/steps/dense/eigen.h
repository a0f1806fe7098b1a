// Eigenvalues and eigenvectors, for the steps that need them.
#pragma once

#include <complex>
#include <vector>

#include "runtime/steps/dense/lapack.h"

namespace lac::runtime {

enum class EigenVectors : std::uint8_t { none, right, both };

/// A * right = right * diag(values), A' * left = left * diag(values); with B: A * right = B * right * diag(values).
template <class T>
struct Eigen {
  std::vector<std::complex<T>> values;
  lapack::Matrix<T> right, left;  ///< in LAPACK's packing where values are complex: real part, imaginary part
  bool symmetric = false;         ///< values ascend and the vectors are orthonormal (with B: B-orthonormal)
  bool converged = true;

  bool real() const {
    for (const std::complex<T>& value : values)
      if (value.imag() != 0) return false;
    return true;
  }
};

/// Of a square matrix with finite elements: xSYEV where it is symmetric, else xGEEVX.
template <class T>
Eigen<T> eigen(lapack::Matrix<T> a, EigenVectors vectors, bool balance);
/// Of a pencil: xSYGV where A is symmetric and B positive definite, else (and always with `qz`) xGGEV.
template <class T>
Eigen<T> eigen(lapack::Matrix<T> a, lapack::Matrix<T> b, EigenVectors vectors, bool qz);

extern template Eigen<float> eigen(lapack::Matrix<float> a, EigenVectors vectors, bool balance);
extern template Eigen<double> eigen(lapack::Matrix<double> a, EigenVectors vectors, bool balance);

}  // namespace lac::runtime
