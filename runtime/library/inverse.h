// The inverse of a matrix, for the steps that need one.
#pragma once

#include "runtime/library/lapack.h"

namespace lac::runtime {

template <class T>
struct Inverse {
  lapack::Matrix<T> matrix;  ///< all Inf where A is singular
  T rcond;                   ///< estimated reciprocal condition number, NaN where A holds one
};

/// The inverse of a square matrix, with Octave's choice of the factorisation.
template <class T>
Inverse<T> invert(lapack::Matrix<T> a);

extern template Inverse<float> invert(lapack::Matrix<float> a);
extern template Inverse<double> invert(lapack::Matrix<double> a);

}  // namespace lac::runtime
