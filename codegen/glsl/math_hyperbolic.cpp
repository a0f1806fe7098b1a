#include "codegen/glsl/math_library.h"

namespace lac::codegen::glsl {

std::vector<MathDefinition> hyperbolic_definitions() {
  return {
      {"sinh", R"(REAL lac_sinh$T(REAL x) { return REAL(sinh(float(x))); })"},
      {"cosh", R"(REAL lac_cosh$T(REAL x) { return REAL(cosh(float(x))); })"},
      {"tanh", R"(REAL lac_tanh$T(REAL x) { return REAL(tanh(float(x))); })"},
      {"asinh", R"(REAL lac_asinh$T(REAL x) { return REAL(asinh(float(x))); })"},
      {"acosh", R"(REAL lac_acosh$T(REAL x) { return REAL(acosh(float(x))); })"},
      {"atanh", R"(REAL lac_atanh$T(REAL x) { return REAL(atanh(float(x))); })"},
  };
}

}  // namespace lac::codegen::glsl
