// Linear systems of a few unknowns, without LAPACK, whose calls take longer than the arithmetic.
#pragma once

#include <cstdint>

#include "ir/plan/small_system.h"

namespace lac::runtime {

/// x = A \ b by LU with partial pivoting (positive definite: without, triangular: by substitution), for an n x n matrix
/// A, n <= most_small_unknowns, and n x m matrices b and x, column-major; x may be b. False, with x as it was, where A
/// is not well enough conditioned for its bound (SmallLu::is_surely_regular; without its vector code the
/// larger norm(A) * max(M(U)^-1 * 1) * max(M(L)^-1 * 1)) to say that nobody would warn.
template <class T>
bool solve_small(const T* a, const T* b, T* x, std::int64_t n, std::int64_t m);

extern template bool solve_small(const float*, const float*, float*, std::int64_t, std::int64_t);
extern template bool solve_small(const double*, const double*, double*, std::int64_t, std::int64_t);

}  // namespace lac::runtime
