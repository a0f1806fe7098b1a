#include "codegen/glsl/math_library.h"

namespace lac::codegen::glsl {

std::vector<MathDefinition> trigonometric_definitions() {
  return {
      {"sin", R"(REAL lac_sin$T(REAL x) { return REAL(sin(float(x))); })"},
      {"cos", R"(REAL lac_cos$T(REAL x) { return REAL(cos(float(x))); })"},
      {"tan", R"(REAL lac_tan$T(REAL x) { return REAL(tan(float(x))); })"},
      {"asin", R"(REAL lac_asin$T(REAL x) { return REAL(asin(float(x))); })"},
      {"acos", R"(REAL lac_acos$T(REAL x) { return REAL(acos(float(x))); })"},
      {"atan", R"(REAL lac_atan$T(REAL x) { return REAL(atan(float(x))); })"},
      {"atan2", R"(REAL lac_atan2$T(REAL y, REAL x) { return REAL(atan(float(y), float(x))); })"},
  };
}

}  // namespace lac::codegen::glsl
