#include "codegen/glsl/scalar/math_library.h"

namespace lac::codegen::glsl {
namespace {

std::vector<MathDefinition> functions() {
  return {
      {"sinh", R"(REAL lac_sinh$T(REAL x) {
  if (x == NUM[0] || !lac_is_finite$T(x)) return x;
  LET size = abs(x);
  if (size > PICK[89.5|710.5lf]) return lac_copy_sign$T(lac_infinity$T(), x);
  if (size > PICK[9.5|22.0lf]) return lac_copy_sign$T(lac_exp_reduced$T(size, NUM[0], -1), x);
  LET t = lac_expm1$T(size);
  LET y = NUM[0.5] * (size < NUM[1] ? NUM[2] * t - t * t / (t + NUM[1]) : t + t / (t + NUM[1]));
  return lac_copy_sign$T(y, x);
})"},
      {"cosh", R"(REAL lac_cosh$T(REAL x) {
  if (!lac_is_finite$T(x)) return lac_is_nan$T(x) ? x : lac_infinity$T();
  LET size = abs(x);
  if (size > PICK[89.5|710.5lf]) return lac_infinity$T();
  if (size > PICK[9.5|22.0lf]) return lac_exp_reduced$T(size, NUM[0], -1);
  LET t = lac_expm1$T(size);
  LET one_more = NUM[1] + t;
  LET y = size < NUM[0.35] ? NUM[1] + t * t / (NUM[2] * one_more) : NUM[0.5] * one_more + NUM[0.5] / one_more;
  return y;
})"},
      {"tanh", R"(REAL lac_tanh$T(REAL x) {
  if (x == NUM[0] || lac_is_nan$T(x)) return x;
  LET size = abs(x);
  if (size > PICK[9.5|22.0lf]) return lac_copy_sign$T(NUM[1], x);
  LET t = lac_expm1$T(NUM[2] * size);
  LET y = size < NUM[1] ? t / (t + NUM[2]) : NUM[1] - NUM[2] / (t + NUM[2]);
  return lac_copy_sign$T(y, x);
})"},
  };
}

std::vector<MathDefinition> inverses() {
  return {
      {"asinh", R"(REAL lac_asinh$T(REAL x) {
  if (x == NUM[0] || !lac_is_finite$T(x)) return x;
  LET size = abs(x);
  LET y = NUM[0];
  if (size > PICK[16384.0|268435456.0lf]) {
    y = lac_log$T(size) + NUM[0.6931471805599453];
  } else {
    LET square = size * size;
    LET root = sqrt(square + NUM[1]);
    if (size > NUM[2])
      y = lac_log$T(NUM[2] * size + NUM[1] / (root + size));
    else
      y = lac_log1p$T(size + square / (NUM[1] + root));
  }
  return lac_copy_sign$T(y, x);
})"},
      {"acosh", R"(REAL lac_acosh$T(REAL x) {
  if (!(x >= NUM[1])) return lac_nan$T();
  if (lac_is_inf$T(x)) return x;
  LET y = NUM[0];
  if (x > PICK[16384.0|268435456.0lf]) {
    y = lac_log$T(x) + NUM[0.6931471805599453];
  } else if (x > NUM[2]) {
    y = lac_log$T(NUM[2] * x - NUM[1] / (x + sqrt(x * x - NUM[1])));
  } else {
    LET t = x - NUM[1];
    y = lac_log1p$T(t + sqrt(NUM[2] * t + t * t));
  }
  return y;
})"},
      {"atanh", R"(REAL lac_atanh$T(REAL x) {
  LET size = abs(x);
  if (!(size <= NUM[1])) return lac_nan$T();
  if (x == NUM[0]) return x;
  if (size == NUM[1]) return lac_copy_sign$T(lac_infinity$T(), x);
  LET twice = NUM[2] * size;
  LET y = NUM[0.5] * lac_log1p$T(size < NUM[0.5] ? twice + twice * size / (NUM[1] - size) : twice / (NUM[1] - size));
  return lac_copy_sign$T(y, x);
})"},
  };
}

}  // namespace

std::vector<MathDefinition> hyperbolic_definitions() {
  std::vector<MathDefinition> all = functions();
  for (const MathDefinition& definition : inverses()) all.push_back(definition);
  return all;
}

}  // namespace lac::codegen::glsl
