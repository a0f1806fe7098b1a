#include "codegen/glsl/scalar/math_library.h"

namespace lac::codegen::glsl {

// Tests for NaN and Inf look at the bits: a driver may assume that floating-point comparisons see neither.
std::vector<MathDefinition> basic_definitions() {
  return {
      {"high_word", R"(// The word with sign and exponent.
uint lac_high_word$T(REAL x) { return PICK[floatBitsToUint(x)|unpackDouble2x32(x).y]; })"},
      {"infinity", R"(REAL lac_infinity$T() {
  return PICK[uintBitsToFloat(0x7f800000u)|packDouble2x32(uvec2(0u, 0x7ff00000u))];
})"},
      {"nan",
       R"(REAL lac_nan$T() { return PICK[uintBitsToFloat(0x7fc00000u)|packDouble2x32(uvec2(0u, 0x7ff80000u))]; })"},
      {"is_nan", R"(bool lac_is_nan$T(REAL x) {
  PICK[return (floatBitsToUint(x) & 0x7fffffffu) > 0x7f800000u;|uvec2 u = unpackDouble2x32(x);
  u.y &= 0x7fffffffu;
  return u.y > 0x7ff00000u || (u.y == 0x7ff00000u && u.x != 0u);]
})"},
      {"is_inf", R"(bool lac_is_inf$T(REAL x) {
  PICK[return (floatBitsToUint(x) & 0x7fffffffu) == 0x7f800000u;|uvec2 u = unpackDouble2x32(x);
  return (u.y & 0x7fffffffu) == 0x7ff00000u && u.x == 0u;]
})"},
      {"is_finite", R"(bool lac_is_finite$T(REAL x) {
  return (lac_high_word$T(x) & PICK[0x7f800000u|0x7ff00000u]) != PICK[0x7f800000u|0x7ff00000u];
})"},
      {"is_negative", R"(// The sign bit, of zero too.
bool lac_is_negative$T(REAL x) { return (lac_high_word$T(x) & 0x80000000u) != 0u; })"},
      {"copy_sign", R"(REAL lac_copy_sign$T(REAL x, REAL sign) {
  uint s = lac_high_word$T(sign) & 0x80000000u;
  PICK[return uintBitsToFloat((floatBitsToUint(x) & 0x7fffffffu) + s);|uvec2 u = unpackDouble2x32(x);
  return packDouble2x32(uvec2(u.x, (u.y & 0x7fffffffu) + s));]
})"},
      {"min", R"(// The operand that is not NaN wins; of equal ones the first.
REAL lac_min$T(REAL a, REAL b) { return lac_is_nan$T(a) ? b : (b < a ? b : a); })"},
      {"max", R"(REAL lac_max$T(REAL a, REAL b) { return lac_is_nan$T(a) ? b : (b > a ? b : a); })"},
      {"bits", R"(// The bits of a whole number below 2^64, the high half last.
uvec2 lac_bits$T(REAL x) {
  LET whole = x > NUM[0] ? floor(x) : NUM[0];
  if (whole >= NUM[18446744073709551616.0]) return uvec2(0xffffffffu);
  LET high = floor(whole * NUM[2.3283064365386963e-10]);
  return uvec2(uint(whole - high * NUM[4294967296.0]), uint(high));
})"},
      {"of_bits", R"(REAL lac_of_bits$T(uvec2 bits) { return REAL(bits.y) * NUM[4294967296.0] + REAL(bits.x); })"},
      {"bit_and", R"(REAL lac_bit_and$T(REAL a, REAL b) { return lac_of_bits$T(lac_bits$T(a) & lac_bits$T(b)); })"},
      {"bit_or", R"(REAL lac_bit_or$T(REAL a, REAL b) { return lac_of_bits$T(lac_bits$T(a) | lac_bits$T(b)); })"},
      {"bit_xor", R"(REAL lac_bit_xor$T(REAL a, REAL b) { return lac_of_bits$T(lac_bits$T(a) ^ lac_bits$T(b)); })"},
      {"sign",
       R"(// Written with bits: drivers take a chain of comparisons for their own sign, which is -0 at zero on lavapipe.
REAL lac_sign$T(REAL x) {
  return lac_is_nan$T(x) ? x : (x == NUM[0] ? NUM[0] : lac_copy_sign$T(NUM[1], x));
})"},
      {"trunc", R"(// lavapipe's own takes 64-bit numbers of 2^24 and more for integers on processors without AVX-512.
REAL lac_trunc$T(REAL x) { return PICK[trunc(x)|(lac_is_negative$T(x) ? ceil(x) : floor(x))]; })"},
      {"round", R"(// Halves away from zero; x - trunc(x) is exact.
REAL lac_round$T(REAL x) {
  LET t = lac_trunc$T(x);
  LET rest = abs(x - t);
  LET away = t + lac_copy_sign$T(NUM[1], x);
  return rest >= NUM[0.5] ? away : t;
})"},
      {"pow2", R"(// 2^k for normal results.
REAL lac_pow2$T(int k) {
  return PICK[uintBitsToFloat(uint(k + 127) << 23)|packDouble2x32(uvec2(0u, uint(k + 1023) << 20))];
})"},
      {"scale", R"(// x 2^k, in two steps: results that overflow or are denormal included.
REAL lac_scale$T(REAL x, int k) {
  int half_k = k / 2;
  LET first = x * lac_pow2$T(half_k);
  LET second = first * lac_pow2$T(k - half_k);
  return second;
})"},
      {"head", R"(// The leading half of the significand.
REAL lac_head$T(REAL x) {
  PICK[return uintBitsToFloat(floatBitsToUint(x) & 0xfffff000u);|uvec2 u = unpackDouble2x32(x);
  return packDouble2x32(uvec2(u.x & 0xf8000000u, u.y));]
})"},
      {"product_error", R"(// a b - p, exactly, for p = a b rounded (T. J. Dekker, A floating-point technique, 1971).
REAL lac_product_error$T(REAL a, REAL b, REAL p) {
  LET ah = lac_head$T(a);
  LET al = a - ah;
  LET bh = lac_head$T(b);
  LET bl = b - bh;
  LET error = (((ah * bh - p) + ah * bl) + al * bh) + al * bl;
  return error;
})"},
      {"quotient_remainder", R"(// a - q b, for q near a / b: of a product in two parts, as no device must fuse fma.
REAL lac_quotient_remainder$T(REAL a, REAL q, REAL b) {
  LET product = q * b;
  LET left = a - product;
  LET rest = left - lac_product_error$T(q, b, product);
  return rest;
})"},
      {"quotient",
       R"(// a / b rounded once, whatever the driver's division does: Newton steps with exact remainders (P. Markstein,
// IBM J. Res. Dev. 34, 1990). Where one of them might leave the range of the type it stays the driver's.
REAL lac_quotient$T(REAL a, REAL b) {
  LET guess = a / b;
  REAL above = max(max(abs(a), abs(b)), abs(guess));
  REAL below = min(min(abs(a), abs(b)), abs(guess));
  if (!(above < NUM[1e25] && below > NUM[1e-25])) return guess;
  LET first = NUM[1] / b;
  LET inverse = first + first * lac_quotient_remainder$T(NUM[1], first, b);
  LET near = guess + inverse * lac_quotient_remainder$T(a, guess, b);
  LET rounded = near + inverse * lac_quotient_remainder$T(a, near, b);
  return rounded;
})"},
      {"root", R"(// The same of sqrt(x).
REAL lac_root$T(REAL x) {
  LET guess = sqrt(x);
  if (!(x < NUM[1e25] && x > NUM[1e-25])) return guess;
  LET first = NUM[0.5] / guess;
  LET slope = first + (first + first) * lac_quotient_remainder$T(NUM[0.5], first, guess);
  LET near = guess + slope * lac_quotient_remainder$T(x, guess, guess);
  LET rounded = near + slope * lac_quotient_remainder$T(x, near, near);
  return rounded;
})"},
      {"remainder", R"(PICK[// x - y trunc(x / y) for x, y >= 0, exactly; every step takes 22 bits off the quotient.
float lac_remainder_f32(float x, float y) {
  precise float rest = x;
  for (int step = 0; step < 14 && rest >= y; ++step) {
    int gap = int(lac_high_word_f32(rest) >> 23) - int(lac_high_word_f32(y) >> 23);
    precise float divisor = lac_scale_f32(y, max(gap - 22, 0));
    precise float quotient = trunc(rest / divisor);
    precise float product = quotient * divisor;
    precise float next = (rest - product) - lac_product_error_f32(quotient, divisor, product);
    precise float mended = next + divisor;
    rest = next < 0.0 ? mended : next;
  }
  return rest;
}|// x - y n; zero where the quotient is an integer to rounding.
double lac_remainder_f64(double x, double y, double quotient, double n) {
  precise double nearest = lac_round_f64(quotient);
  precise double off = abs((quotient - nearest) / nearest);
  bool y_is_integer = lac_round_f64(y) == y;
  if (!y_is_integer && nearest != 0.0lf && off < 2.220446049250313e-16lf) return 0.0lf;
  precise double product = y * n;
  precise double rest = x - product;
  return rest;
}])"},
      {"mod", R"(// The sign of the divisor; mod(x, 0) = x.
REAL lac_mod$T(REAL x, REAL y) {
  if (y == NUM[0]) return x;
  if (!lac_is_finite$T(x) || !lac_is_finite$T(y)) return lac_nan$T();
  if (x == y) return NUM[0];
  PICK[precise float rest = lac_remainder_f32(abs(x), abs(y));
  bool same_side = (x < 0.0) == (y < 0.0);
  precise float other = abs(y) - rest;
  rest = same_side ? rest : (rest == 0.0 ? rest : other);|precise double quotient = x / y;
  precise double rest = lac_remainder_f64(x, y, quotient, floor(quotient));]
  return lac_copy_sign$T(rest, y);
})"},
      {"rem", R"(// The sign of the dividend; rem(x, 0) is NaN.
REAL lac_rem$T(REAL x, REAL y) {
  if (y == NUM[0] || !lac_is_finite$T(x) || !lac_is_finite$T(y)) return lac_nan$T();
  if (x == y) return NUM[0];
  PICK[precise float rest = lac_remainder_f32(abs(x), abs(y));|precise double quotient = x / y;
  precise double rest = lac_remainder_f64(x, y, quotient, lac_trunc_f64(quotient));]
  return lac_copy_sign$T(rest, x);
})"},
  };
}

}  // namespace lac::codegen::glsl
