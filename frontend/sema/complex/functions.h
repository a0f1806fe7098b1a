// Functions of one complex element at a time.
#pragma once

#include <string_view>

#include "frontend/sema/complex/arithmetic.h"

namespace lac::frontend {

using ComplexFunction = Complex (*)(const ComplexArithmetic&, const Complex&);

/// exp, sin, round, ...: null where there is none of that name.
ComplexFunction find_complex_function(std::string_view name);

}  // namespace lac::frontend
