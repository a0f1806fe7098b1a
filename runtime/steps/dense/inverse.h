// The inverse of a matrix, for the steps that need one.
#pragma once

#include "runtime/steps/dense/lapack.h"
#include "runtime/steps/library.h"

namespace lac::runtime {

template <class T>
struct Inverse {
  lapack::Matrix<T> matrix;  ///< all Inf where A is singular
  T rcond;                   ///< estimated reciprocal condition number, NaN where A holds one
};

/// The inverse of a square matrix, with Octave's choice of the factorisation.
template <class T>
Inverse<T> invert(lapack::Matrix<T> a);

/// What a power says that needs the inverse of a singular matrix.
LibraryWarning warning_of_singular_inverse();

extern template Inverse<float> invert(lapack::Matrix<float> a);
extern template Inverse<double> invert(lapack::Matrix<double> a);

}  // namespace lac::runtime
