// Complex matrices as wholes: what library steps compute of them.
#pragma once

#include "frontend/sema/complex/complex.h"

namespace lac::frontend {

/// A \ b, sparse A as the real system of twice the size.
Complex left_divide(Emitter& e, const Complex& a, const Complex& b, Span span);
/// A^n with an integer n that is known while compiling.
Complex matrix_power(Emitter& e, const Complex& a, const Complex& exponent, Span span);
Complex inverse(Emitter& e, const Complex& a);

}  // namespace lac::frontend
