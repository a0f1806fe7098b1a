// The text of our own mathematical functions: written once, instantiated for float and double.
//
// A definition is GLSL with these words in it, which `instantiate` replaces:
//   REAL              float or double
//   LET               a local that is not contracted: precise float or precise double
//   $T                the suffix of a function's name: _f32 or _f64
//   NUM[0.1]          the number as a literal of that type
//   PICK[a|b]         a for float, b for double
//   POLY[name,x]      Horner's scheme in the variable x with the coefficients `name` of math_polynomials.h
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/types/type.h"

namespace lac::codegen::glsl {

/// One function, or a group that is always used together. `name` is without prefix and suffix: "exp" defines
/// lac_exp_f32 and lac_exp_f64.
struct MathDefinition {
  std::string_view name;
  std::string_view text;
};

/// All definitions; a definition calls only earlier ones.
const std::vector<MathDefinition>& math_definitions();

/// `element` is single or real.
std::string instantiate(std::string_view text, Element element);

// The parts of math_definitions, one file each.
std::vector<MathDefinition> basic_definitions();          ///< classification, rounding, exact products, remainders
std::vector<MathDefinition> exponential_definitions();    ///< exp, log and their family, pow, hypot, cbrt
std::vector<MathDefinition> trigonometric_definitions();  ///< sin, cos, tan and their inverses
std::vector<MathDefinition> hyperbolic_definitions();     ///< sinh, cosh, tanh and their inverses
std::vector<MathDefinition> special_definitions();        ///< erf, erfc, gamma, lgamma

}  // namespace lac::codegen::glsl
