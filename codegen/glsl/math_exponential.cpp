#include "codegen/glsl/math_library.h"

namespace lac::codegen::glsl {

std::vector<MathDefinition> exponential_definitions() {
  return {
      {"exp", R"(REAL lac_exp$T(REAL x) { return REAL(exp(float(x))); })"},
      {"expm1", R"(REAL lac_expm1$T(REAL x) { return REAL(exp(float(x)) - 1.0); })"},
      {"log", R"(REAL lac_log$T(REAL x) { return REAL(log(float(x))); })"},
      {"log1p", R"(REAL lac_log1p$T(REAL x) { return REAL(log(1.0 + float(x))); })"},
      {"log2", R"(REAL lac_log2$T(REAL x) { return REAL(log2(float(x))); })"},
      {"log10", R"(REAL lac_log10$T(REAL x) { return REAL(log(float(x)) * 0.4342944819); })"},
      {"pow", R"(REAL lac_pow$T(REAL x, REAL y) { return REAL(pow(float(x), float(y))); })"},
      {"hypot", R"(REAL lac_hypot$T(REAL x, REAL y) { return REAL(sqrt(x * x + y * y)); })"},
      {"cbrt", R"(REAL lac_cbrt$T(REAL x) { return REAL(sign(float(x)) * pow(abs(float(x)), 0.3333333333)); })"},
  };
}

}  // namespace lac::codegen::glsl
