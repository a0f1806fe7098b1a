// Coefficients of the approximations in the mathematical functions, fitted by codegen/glsl/scalar/fit_polynomials.py.
#pragma once

#include <span>
#include <string_view>

#include "ir/types/type.h"

namespace lac::codegen::glsl {

/// Ascending powers; `element` is single or real. Throws InternalError for an unknown name.
std::span<const double> polynomial(std::string_view name, Element element);

}  // namespace lac::codegen::glsl
