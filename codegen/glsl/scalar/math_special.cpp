#include "codegen/glsl/scalar/math_library.h"

namespace lac::codegen::glsl {
namespace {

std::vector<MathDefinition> error_functions() {
  return {
      {"erfc_large", R"(// For x >= 1/2: exp(-x^2) P((x - c) / (x + c)) / (1 + 2 x), x^2 in two parts.
REAL lac_erfc_large$T(REAL x) {
  if (x > PICK[10.5|27.3lf]) return NUM[0];
  LET q = (x - PICK[2.0|4.0lf]) / (x + PICK[2.0|4.0lf]);
  LET factor = POLY[erfc_large,q] / (NUM[1] + NUM[2] * x);
  LET square = x * x;
  LET y = factor * lac_exp_reduced$T(-square, -lac_product_error$T(x, x, square), 0);
  return y;
})"},
      {"erf", R"(REAL lac_erf$T(REAL x) {
  if (x == NUM[0] || lac_is_nan$T(x)) return x;
  LET size = abs(x);
  if (size > PICK[4.0|6.0lf]) return lac_copy_sign$T(NUM[1], x);
  LET z = x * x;
  LET y = size < NUM[1] ? size + size * POLY[erf_small,z] : NUM[1] - lac_erfc_large$T(size);
  return lac_copy_sign$T(y, x);
})"},
      {"erfc", R"(REAL lac_erfc$T(REAL x) {
  if (lac_is_nan$T(x)) return x;
  if (x < NUM[0.5]) return NUM[1] - lac_erf$T(x);
  return lac_erfc_large$T(x);
})"},
  };
}

std::vector<MathDefinition> gamma_functions() {
  return {
      {"gamma_positive",
       R"(// x > -1/2: Stirling's series with the exponent in two parts, or a polynomial after steps of one to [3/2, 5/2].
REAL lac_gamma_positive$T(REAL x) {
  if (x > PICK[35.1|171.7lf]) return lac_infinity$T();
  if (x < PICK[6.0|12.0lf]) {
    LET t = x;
    LET over = NUM[1];
    LET under = NUM[1];
    for (int step = 0; step < 12 && t > NUM[2.5]; ++step) {
      t = t - NUM[1];
      over = over * t;
    }
    for (int step = 0; step < 2 && t < NUM[1.5]; ++step) {
      under = under * t;
      t = t + NUM[1];
    }
    LET s = t - NUM[2];
    LET near = NUM[1] + POLY[gamma_2,s];
    LET y = near * over / under;
    return y;
  }
  REAL log_low;
  LET log_high = lac_log_double$T(x, log_low);
  LET factor = x - NUM[0.5];
  LET product = factor * log_high;
  LET product_low = lac_product_error$T(factor, log_high, product) + factor * log_low;
  LET exponent = product - x;
  LET exponent_low = ((product - exponent) - x) + product_low;
  LET u = NUM[1] / x;
  LET root = NUM[2.5066282746310007];  // sqrt(2 pi), the rest of it below
  LET scale = root + (root * POLY[stirling_factor,u] + PICK[-2.866020476499642e-10|-1.8328579980459167e-16lf]);
  LET y = lac_exp_reduced$T(exponent, exponent_low, 0) * scale;
  return y;
})"},
      {"sin_pi", R"(// sin(pi x), the reduction exact.
REAL lac_sin_pi$T(REAL x) {
  LET n = lac_round$T(x);
  LET f = x - n;
  bool inner = abs(f) <= NUM[0.25];
  LET part = inner ? f : NUM[0.5] - abs(f);
  LET r = part * NUM[3.141592653589793];
  LET low = lac_product_error$T(part, NUM[3.141592653589793], r) + part * PICK[-8.742277657347586e-08|1.2246467991473532e-16lf];
  LET y = inner ? lac_sin_reduced$T(r, low) : lac_copy_sign$T(lac_cos_reduced$T(r, low), f);
  LET half_n = n * NUM[0.5];
  return lac_trunc$T(half_n) == half_n ? y : -y;
})"},
      {"gamma", R"(// Inf at the negative integers, as Octave has it; below zero by reflection.
REAL lac_gamma$T(REAL x) {
  if (lac_is_nan$T(x)) return x;
  if (x == NUM[0]) return lac_copy_sign$T(lac_infinity$T(), x);
  if (lac_is_inf$T(x)) return lac_infinity$T();
  if (x > NUM[-0.5]) return lac_gamma_positive$T(x);
  if (lac_trunc$T(x) == x) return lac_infinity$T();
  LET reflected = NUM[3.141592653589793] / (lac_sin_pi$T(x) * -x) / lac_gamma_positive$T(-x);
  return reflected;
})"},
      {"lgamma_positive", R"(REAL lac_lgamma_positive$T(REAL x) {
  if (x >= NUM[8]) {
    LET u = NUM[1] / x;
    LET large = (x - NUM[0.5]) * (lac_log$T(x) - NUM[1]) + POLY[stirling_sum,u];
    return large;
  }
  LET y = NUM[0];
  LET t = x;
  if (x < NUM[0.75]) {
    y = -lac_log$T(x);
    t = x + NUM[1];
  } else if (x >= NUM[2.5]) {
    LET product = NUM[1];
    for (int step = 0; step < 6 && t >= NUM[2.5]; ++step) {
      t = t - NUM[1];
      product = product * t;
    }
    y = lac_log$T(product);
  }
  bool lower = x < NUM[0.5] || t < NUM[1.5];
  LET s = x < NUM[0.5] ? x : (t < NUM[1.5] ? t - NUM[1] : t - NUM[2]);
  LET near = s * (lower ? POLY[lgamma_1,s] : POLY[lgamma_2,s]);
  return y + near;
})"},
      {"lgamma", R"(// log |gamma(x)|; poor relative accuracy next to its zeros below zero.
REAL lac_lgamma$T(REAL x) {
  if (lac_is_nan$T(x)) return x;
  if (lac_is_inf$T(x) || x == NUM[0]) return lac_infinity$T();
  if (x > NUM[0]) return lac_lgamma_positive$T(x);
  if (lac_trunc$T(x) == x) return lac_infinity$T();
  if (x > NUM[-0.25]) {
    LET near = x * POLY[lgamma_1,x] - lac_log$T(-x);
    return near;
  }
  LET y = lac_log$T(NUM[3.141592653589793] / abs(x * lac_sin_pi$T(x))) - lac_lgamma_positive$T(-x);
  return y;
})"},
  };
}

}  // namespace

std::vector<MathDefinition> special_definitions() {
  std::vector<MathDefinition> all = error_functions();
  for (const MathDefinition& definition : gamma_functions()) all.push_back(definition);
  return all;
}

}  // namespace lac::codegen::glsl
