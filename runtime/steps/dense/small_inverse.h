// Inverses and determinants of a few rows, without LAPACK, whose calls take longer than the arithmetic. The steps of
// the library take them where they can, so that straight code, which calls them itself, has the same bits.
#pragma once

#include <cstdint>

#include "ir/plan/small_system.h"

namespace lac::runtime {

/// Of an n x n matrix A, n <= most_small_unknowns, column-major. False, with x as it was, where A is not so far from
/// singular that nobody would warn, and where LU has no vector code: that is LAPACK's to say.
template <class T>
bool invert_few(const T* a, T* x, std::int64_t n);
/// The same of the determinant.
template <class T>
bool determinant_of_few(const T* a, double& value, std::int64_t n);

/// A = U'*U of a matrix that may be positive definite (xPOTF2); false where it is not. Below U is what `u` held.
template <class T>
bool cholesky_of_few(const T* a, T* u, std::int64_t n);
/// A^-1 by these factors (xTRTI2, xLAUU2), both triangles of it.
template <class T>
void invert_by_cholesky(const T* u, T* x, std::int64_t n);
/// A^-1 of a triangular matrix (xTRTI2).
template <class T>
void invert_few_triangular(const T* a, T* x, std::int64_t n, bool is_upper);

extern template bool invert_few(const float*, float*, std::int64_t);
extern template bool invert_few(const double*, double*, std::int64_t);
extern template bool determinant_of_few(const float*, double&, std::int64_t);
extern template bool determinant_of_few(const double*, double&, std::int64_t);
extern template bool cholesky_of_few(const float*, float*, std::int64_t);
extern template bool cholesky_of_few(const double*, double*, std::int64_t);
extern template void invert_by_cholesky(const float*, float*, std::int64_t);
extern template void invert_by_cholesky(const double*, double*, std::int64_t);
extern template void invert_few_triangular(const float*, float*, std::int64_t, bool);
extern template void invert_few_triangular(const double*, double*, std::int64_t, bool);

}  // namespace lac::runtime
