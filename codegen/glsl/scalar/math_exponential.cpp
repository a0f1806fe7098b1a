#include "codegen/glsl/scalar/math_library.h"

// Argument reductions after W. J. Cody and W. Waite, Software Manual for the Elementary Functions (1980); the splitting
// of log(1 + f) follows K. C. Ng's (fdlibm). Constants with HIGH and LOW parts: HIGH has so many trailing zeros that
// its product with an exponent is exact.

namespace lac::codegen::glsl {
namespace {

std::vector<MathDefinition> exponentials() {
  return {
      {"exp_reduced", R"(// exp(x + low) 2^extra, low far below x, for results of any size.
REAL lac_exp_reduced$T(REAL x, REAL low, int extra) {
  LET k = floor(x * NUM[1.4426950408889634] + NUM[0.5]);
  LET high = x - k * PICK[0.693115234375|0.6931471803691238lf];
  LET r = (high - k * PICK[3.194618329871446e-05|1.9082149292705877e-10lf]) + low;
  LET tail = r + r * r * POLY[exp_tail,r];
  LET y = NUM[1] + tail;
  return lac_scale$T(y, int(k) + extra);
})"},
      {"exp", R"(REAL lac_exp$T(REAL x) {
  if (lac_is_nan$T(x)) return x;
  if (x > PICK[88.73|709.79lf]) return lac_infinity$T();
  if (x < PICK[-104.0|-745.2lf]) return NUM[0];
  return lac_exp_reduced$T(x, NUM[0], 0);
})"},
      {"expm1", R"(// 2^k expm1(r) + (2^k - 1), x = k log(2) + r.
REAL lac_expm1$T(REAL x) {
  if (x == NUM[0] || lac_is_nan$T(x)) return x;
  if (x > PICK[88.73|709.79lf]) return lac_infinity$T();
  if (x < PICK[-18.0|-40.0lf]) return NUM[-1];
  LET k = floor(x * NUM[1.4426950408889634] + NUM[0.5]);
  LET high = x - k * PICK[0.693115234375|0.6931471803691238lf];
  LET low = k * PICK[3.194618329871446e-05|1.9082149292705877e-10lf];
  LET r = high - low;
  LET error = (high - r) - low;
  LET tail = r * r * POLY[exp_tail,r] + (error + error * r);
  LET power = lac_pow2$T(int(k) - 1);
  LET sum = (power - NUM[0.5]) + power * r;
  LET lost = (power - NUM[0.5]) - sum + power * r;
  LET y = (k == NUM[0]) ? r + tail : NUM[2] * (sum + (lost + power * tail));
  return y;
})"},
  };
}

std::vector<MathDefinition> logarithms() {
  return {
      {"log_parts", R"(// x = m 2^k with m in [sqrt(1/2), sqrt(2)), for x > 0, finite.
REAL lac_log_parts$T(REAL x, out int k) {
  uint first = lac_high_word$T(x);
  bool tiny = first < PICK[0x00800000u|0x00100000u];
  LET normal = tiny ? x * PICK[33554432.0|18014398509481984.0lf] : x;
  PICK[uint word = floatBitsToUint(normal) + (0x3f800000u - 0x3f3504f3u);
  k = int(word >> 23) - 127 - (tiny ? 25 : 0);
  return uintBitsToFloat((word & 0x007fffffu) + 0x3f3504f3u);|uvec2 words = unpackDouble2x32(normal);
  uint word = words.y + (0x3ff00000u - 0x3fe6a09eu);
  k = int(word >> 20) - 1023 - (tiny ? 54 : 0);
  return packDouble2x32(uvec2(words.x, (word & 0x000fffffu) + 0x3fe6a09eu));]
})"},
      {"log_special", R"(// What log has for x that is not positive and finite.
REAL lac_log_special$T(REAL x) {
  if (x == NUM[0]) return -lac_infinity$T();
  return lac_is_inf$T(x) && x > NUM[0] ? x : lac_nan$T();
})"},
      {"log_rest", R"(// log(1 + f) - (f - f^2 / 2).
REAL lac_log_rest$T(REAL f) {
  LET s = f / (NUM[2] + f);
  LET z = s * s;
  LET rest = s * (NUM[0.5] * f * f + z * POLY[log_tail,z]);
  return rest;
})"},
      {"log_sum", R"(// k log(2) + log(1 + f) + low.
REAL lac_log_sum$T(int k, REAL f, REAL low) {
  LET n = REAL(k);
  LET half_square = NUM[0.5] * f * f;
  LET small = lac_log_rest$T(f) + (n * PICK[3.194618329871446e-05|1.9082149292705877e-10lf] + low);
  LET y = n * PICK[0.693115234375|0.6931471803691238lf] - ((half_square - small) - f);
  return y;
})"},
      {"log", R"(REAL lac_log$T(REAL x) {
  if (!(x > NUM[0]) || !lac_is_finite$T(x)) return lac_log_special$T(x);
  int k;
  LET m = lac_log_parts$T(x, k);
  LET f = m - NUM[1];
  return lac_log_sum$T(k, f, NUM[0]);
})"},
      {"log1p", R"(// log(u) + (what 1 + x lost) / u, u = 1 + x rounded.
REAL lac_log1p$T(REAL x) {
  if (x == NUM[0]) return x;
  if (!(x > NUM[-1]) || !lac_is_finite$T(x)) return x == NUM[-1] ? -lac_infinity$T() : lac_log_special$T(x);
  LET u = NUM[1] + x;
  LET lost = x > NUM[1] ? NUM[1] - (u - x) : x - (u - NUM[1]);
  int k;
  LET m = lac_log_parts$T(u, k);
  LET f = k == 0 ? x : m - NUM[1];
  LET low = k == 0 ? NUM[0] : lost / u;
  return lac_log_sum$T(k, f, low);
})"},
      {"log_in_base",
       R"(// k high + k low + log(m) / log(base), 1 / log(base) = scale + scale_low, scale with a short significand.
REAL lac_log_in_base$T(REAL x, REAL scale, REAL scale_low, REAL high, REAL low) {
  if (!(x > NUM[0]) || !lac_is_finite$T(x)) return lac_log_special$T(x);
  int k;
  LET m = lac_log_parts$T(x, k);
  LET n = REAL(k);
  LET f = m - NUM[1];
  LET half_square = NUM[0.5] * f * f;
  LET head = lac_head$T(f - half_square);
  LET rest = ((f - head) - half_square) + lac_log_rest$T(f);
  LET big = head * scale;
  LET whole = n * high;
  LET sum = whole + big;
  LET y = sum + (((whole - sum) + big) + (n * low + (rest * scale + (rest + head) * scale_low)));
  return y;
})"},
      {"log2", R"(REAL lac_log2$T(REAL x) {
  return lac_log_in_base$T(x, PICK[1.4423828125|1.4426950216293335lf], PICK[0.00031222838896340733|1.9259629911266175e-08lf],
                           NUM[1], NUM[0]);
})"},
      {"log10", R"(REAL lac_log10$T(REAL x) {
  return lac_log_in_base$T(x, PICK[0.4342041015625|0.4342944771051407lf], PICK[9.038034075182765e-05|4.798111141615973e-09lf],
                           PICK[0.301025390625|0.3010299955494702lf], PICK[4.605039066518657e-06|1.1451100898021838e-10lf]);
})"},
  };
}

std::vector<MathDefinition> powers() {
  return {
      {"log_double",
       R"(// log(x) as a sum of two, x > 0 and finite: the error is far below the last place of the second.
REAL lac_log_double$T(REAL x, precise out REAL low) {
  int k;
  LET m = lac_log_parts$T(x, k);
  LET f = m - NUM[1];
  LET d = m + NUM[1];
  LET d_low = m - (d - NUM[1]);
  LET s = f / d;
  LET sd = s * d;
  LET s_low = (((f - sd) - lac_product_error$T(s, d, sd)) - s * d_low) / d;
  LET z = s * s;
  LET z_low = lac_product_error$T(s, s, z) + NUM[2] * s * s_low;
  LET cube = s * z;
  LET cube_low = lac_product_error$T(s, z, cube) + (s * z_low + s_low * z);
  LET term = cube * NUM[0.6666666666666666];
  LET third = PICK[-1.9868215517249155e-08|3.700743415417188e-17lf];
  LET term_low = lac_product_error$T(cube, NUM[0.6666666666666666], term) +
                 (cube * third + cube_low * NUM[0.6666666666666666]);
  LET tail = cube * z * POLY[log_tail_2,z];
  LET twice = NUM[2] * s;
  LET series = twice + term;
  LET series_low = ((twice - series) + term) + (NUM[2] * s_low + (term_low + tail));
  LET n = REAL(k);
  LET whole = n * PICK[0.693115234375|0.6931471803691238lf];
  LET sum = whole + series;
  LET small = k == 0 ? series_low
                     : ((whole - sum) + series) + (series_low + n * PICK[3.194618329871446e-05|1.9082149292705877e-10lf]);
  LET high = sum + small;
  low = (sum - high) + small;
  return high;
})"},
      {"pow_positive", R"(// exp(y log(x)), x > 0 and finite, y finite.
REAL lac_pow_positive$T(REAL x, REAL y) {
  REAL log_low;
  LET log_high = lac_log_double$T(x, log_low);
  LET product = y * log_high;
  if (product > PICK[89.0|710.0lf]) return lac_infinity$T();
  if (product < PICK[-105.0|-746.0lf]) return NUM[0];
  LET low = lac_product_error$T(y, log_high, product) + y * log_low;
  return lac_exp_reduced$T(product, low, 0);
})"},
      {"pow", R"(// NaN for negative x and y that is not an integer.
REAL lac_pow$T(REAL x, REAL y) {
  if (y == NUM[0] || x == NUM[1]) return NUM[1];
  if (lac_is_nan$T(x) || lac_is_nan$T(y)) return lac_nan$T();
  LET size = abs(x);
  if (lac_is_inf$T(y)) return size == NUM[1] ? NUM[1] : ((size > NUM[1]) == (y > NUM[0]) ? lac_infinity$T() : NUM[0]);
  LET half_y = NUM[0.5] * y;
  bool whole = lac_trunc$T(y) == y;
  bool odd = whole && !(lac_trunc$T(half_y) == half_y);
  LET sign = odd && lac_is_negative$T(x) ? NUM[-1] : NUM[1];
  if (size == NUM[0] || lac_is_inf$T(x))
    return sign * ((size == NUM[0]) == (y < NUM[0]) ? lac_infinity$T() : NUM[0]);
  if (x < NUM[0] && !whole) return lac_nan$T();
  return sign * lac_pow_positive$T(size, y);
})"},
      {"hypot", R"(// sqrt of the sum of squares held in two, after scaling by a power of two; Inf wins over NaN.
REAL lac_hypot$T(REAL x, REAL y) {
  if (lac_is_inf$T(x) || lac_is_inf$T(y)) return lac_infinity$T();
  if (lac_is_nan$T(x) || lac_is_nan$T(y)) return lac_nan$T();
  LET a = max(abs(x), abs(y));
  LET b = min(abs(x), abs(y));
  if (b == NUM[0]) return a;
  int k = int(lac_high_word$T(a) >> PICK[23|20]) - PICK[127|1023];
  LET p = lac_scale$T(a, -k);
  LET q = lac_scale$T(b, -k);
  LET pp = p * p;
  LET qq = q * q;
  LET sum = pp + qq;
  LET low = ((pp - sum) + qq) + (lac_product_error$T(p, p, pp) + lac_product_error$T(q, q, qq));
  LET root = sqrt(sum);
  LET square = root * root;
  LET left = ((sum - square) - lac_product_error$T(root, root, square)) + low;
  LET better = root + left / (NUM[2] * root);
  return lac_scale$T(better, k);
})"},
      {"cbrt", R"(// Halley's iteration from a guess by the exponent, then a Newton step with the residual in two parts.
REAL lac_cbrt$T(REAL x) {
  if (x == NUM[0] || !lac_is_finite$T(x)) return x;
  int k;
  LET m = lac_log_parts$T(abs(x), k);
  int third = int(floor(float(k) / 3.0));
  LET a = m * lac_pow2$T(k - 3 * third);
  LET t = NUM[0.725] + a * (NUM[0.29766] + a * NUM[-0.019883]);
  for (int step = 0; step < PICK[2|3]; ++step) {
    LET cube = t * t * t;
    t = t * ((cube + NUM[2] * a) / (NUM[2] * cube + a));
  }
  LET square = t * t;
  LET cube = square * t;
  LET left = ((a - cube) - lac_product_error$T(square, t, cube)) - lac_product_error$T(t, t, square) * t;
  LET root = t + left / (NUM[3] * square);
  return lac_copy_sign$T(lac_scale$T(root, third), x);
})"},
  };
}

}  // namespace

std::vector<MathDefinition> exponential_definitions() {
  std::vector<MathDefinition> all;
  for (auto part : {exponentials, logarithms, powers})
    for (const MathDefinition& definition : part()) all.push_back(definition);
  return all;
}

}  // namespace lac::codegen::glsl
