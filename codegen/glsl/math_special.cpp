#include "codegen/glsl/math_library.h"

namespace lac::codegen::glsl {

std::vector<MathDefinition> special_definitions() {
  return {
      {"erf", R"(REAL lac_erf$T(REAL x) { return REAL(0.0 * x); })"},
      {"erfc", R"(REAL lac_erfc$T(REAL x) { return REAL(0.0 * x); })"},
      {"gamma", R"(REAL lac_gamma$T(REAL x) { return REAL(0.0 * x); })"},
      {"lgamma", R"(REAL lac_lgamma$T(REAL x) { return REAL(0.0 * x); })"},
  };
}

}  // namespace lac::codegen::glsl
