#include "codegen/glsl/scalar/math_library.h"

namespace lac::codegen::glsl {
namespace {

// x = q pi/2 + (r + low), |r| <= pi/4 (and a rounding error), q modulo 4. Up to 2^18 (float) and 2^30 (double) by
// Cody and Waite with pi/2 in three parts and exact products; beyond by M. H. Payne and R. N. Hanek (Radian reduction
// for trigonometric functions, 1983): x 2/pi modulo 4 in integers. Accurate for every finite x.
std::vector<MathDefinition> reductions() {
  return {
      {"reduce_small", R"(REAL lac_reduce_small$T(REAL x, precise out REAL low, out int quadrant) {
  LET k = floor(x * NUM[0.6366197723675814] + NUM[0.5]);
  LET product = k * PICK[1.5707963705062866|1.5707963267948966lf];
  LET error = lac_product_error$T(k, PICK[1.5707963705062866|1.5707963267948966lf], product);
  LET second = k * PICK[-4.371138828673793e-08|6.123233995736766e-17lf];
  LET second_error = lac_product_error$T(k, PICK[-4.371138828673793e-08|6.123233995736766e-17lf], second) +
                     k * PICK[-1.7151245100058819e-15|-1.4973849048591698e-33lf];
  LET difference = x - product;
  LET a = difference - error;
  LET a_back = a - difference;
  LET a_low = (difference - (a - a_back)) - (error + a_back);
  LET r = a - second;
  LET r_back = r - a;
  LET r_low = ((a - (r - r_back)) - (second + r_back)) + (a_low - second_error);
  LET sum = r + r_low;
  low = (r - sum) + r_low;
  quadrant = int(k) & 3;
  return sum;
})"},
      {"reduce_large", R"(REAL lac_reduce_large$T(REAL x, precise out REAL low, out int quadrant) {
  const uint two_over_pi[39] = uint[39](0u,  // the bits of 2/pi behind the point, and 32 zeros before them
      0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u,
      0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu, 0xe88235f5u, 0x2ebb4484u,
      0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu, 0xbdf9283bu, 0x1ff897ffu, 0xde05980fu,
      0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u, 0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu,
      0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u, 0x1f8d5d08u, 0x56033046u, 0xfc7b6babu);
  const int words = PICK[4|6];
  uint head = lac_high_word$T(x);
  int exponent = int((head >> PICK[23|20]) & PICK[0xffu|0x7ffu]) - PICK[150|1075];
  uvec2 significand = PICK[uvec2((head & 0x7fffffu) + 0x800000u, 0u)|uvec2(unpackDouble2x32(x).x, (head & 0xfffffu) + 0x100000u)];
  int skipped = exponent + 30, first = skipped >> 5, shift = skipped & 31;
  uint product[words + 1];  // significand * the next bits of 2/pi, modulo 2^(32 words); product[0] is the least word
  for (int n = 0; n <= words; ++n) product[n] = 0u;
  for (int n = 0; n < words; ++n) {
    int at = first + words - 1 - n;
    uint digit = two_over_pi[at] << shift;
    if (shift > 0) digit += two_over_pi[at + 1] >> (32 - shift);
    for (int half_word = 0; half_word < PICK[1|2]; ++half_word) {
      uint high, least;
      umulExtended(digit, half_word == 0 ? significand.x : significand.y, high, least);
      for (int to = n + half_word; to < words; ++to) {
        uint carry;
        product[to] = uaddCarry(product[to], least, carry);
        least = to == n + half_word ? high + carry : carry;
      }
    }
  }
  quadrant = int(product[words - 1] >> 30);
  product[words - 1] = product[words - 1] << 2;  // the fraction alone: of 2 bits less in the top word
  bool upper = (product[words - 1] & 0x80000000u) != 0u;
  if (upper) ++quadrant;
  LET sum = NUM[0];
  LET rest = NUM[0];
  LET unit = upper ? NUM[-1] : NUM[1];
  for (int n = words - 1; n >= 0; --n) {
    uint digit = upper ? ~product[n] : product[n];
    if (n == words - 1) digit = digit >> 2;
    for (int part = 0; part < 2; ++part) {
      unit = unit * (part == 0 && n == words - 1 ? NUM[0.00006103515625] : NUM[0.0000152587890625]);
      LET term = REAL(part == 0 ? digit >> 16 : digit & 0xffffu) * unit;
      LET next = sum + term;
      rest = rest + ((sum - next) + term);
      sum = next;
    }
  }
  LET fraction = sum + rest;
  LET fraction_low = (sum - fraction) + rest;
  LET r = fraction * PICK[1.5707963705062866|1.5707963267948966lf];
  LET r_low = lac_product_error$T(fraction, PICK[1.5707963705062866|1.5707963267948966lf], r) +
              (fraction * PICK[-4.371138828673793e-08|6.123233995736766e-17lf] + fraction_low * NUM[1.5707963267948966]);
  bool negative = lac_is_negative$T(x);
  quadrant = (negative ? -quadrant : quadrant) & 3;
  low = negative ? -r_low : r_low;
  return negative ? -r : r;
})"},
      {"reduce", R"(REAL lac_reduce$T(REAL x, precise out REAL low, out int quadrant) {
  low = NUM[0];
  quadrant = 0;
  if (abs(x) <= NUM[0.7853981633974483]) return x;
  if (abs(x) <= PICK[262144.0|1073741824.0lf]) return lac_reduce_small$T(x, low, quadrant);
  return lac_reduce_large$T(x, low, quadrant);
})"},
  };
}

std::vector<MathDefinition> functions() {
  return {
      {"sin_reduced", R"(REAL lac_sin_reduced$T(REAL r, REAL low) {
  LET z = r * r;
  LET tail = r * (z * POLY[sin_tail,z]) + low * (NUM[1] - NUM[0.5] * z);
  LET y = r + tail;
  return low == NUM[0] && tail == NUM[0] ? r : y;
})"},
      {"cos_reduced", R"(REAL lac_cos_reduced$T(REAL r, REAL low) {
  LET z = r * r;
  LET half_z = NUM[0.5] * z;
  LET first = NUM[1] - half_z;
  LET y = first + (((NUM[1] - first) - half_z) + (z * z * POLY[cos_tail,z] - r * low));
  return y;
})"},
      {"sin", R"(REAL lac_sin$T(REAL x) {
  if (!lac_is_finite$T(x)) return lac_nan$T();
  REAL low;
  int quadrant;
  LET r = lac_reduce$T(x, low, quadrant);
  LET y = (quadrant & 1) == 0 ? lac_sin_reduced$T(r, low) : lac_cos_reduced$T(r, low);
  return (quadrant & 2) == 0 ? y : -y;
})"},
      {"cos", R"(REAL lac_cos$T(REAL x) {
  if (!lac_is_finite$T(x)) return lac_nan$T();
  REAL low;
  int quadrant;
  LET r = lac_reduce$T(x, low, quadrant);
  LET y = (quadrant & 1) == 0 ? lac_cos_reduced$T(r, low) : lac_sin_reduced$T(r, low);
  return ((quadrant + 1) & 2) == 0 ? y : -y;
})"},
      {"tan", R"(REAL lac_tan$T(REAL x) {
  if (!lac_is_finite$T(x)) return lac_nan$T();
  REAL low;
  int quadrant;
  LET r = lac_reduce$T(x, low, quadrant);
  LET s = lac_sin_reduced$T(r, low);
  LET c = lac_cos_reduced$T(r, low);
  LET y = (quadrant & 1) == 0 ? s / c : -(c / s);
  return y;
})"},
  };
}

// Interval reductions and tails as in fdlibm, the polynomials fitted anew.
std::vector<MathDefinition> inverses() {
  return {
      {"asin", R"(// x + x^3 P(x^2); above 1/2: pi/2 - 2 asin(sqrt((1 - |x|) / 2)).
REAL lac_asin$T(REAL x) {
  LET size = abs(x);
  if (!(size <= NUM[1])) return lac_nan$T();
  bool inner = size < NUM[0.5];
  LET z = inner ? x * x : (NUM[1] - size) * NUM[0.5];
  LET tail = z * POLY[asin_tail,z];
  if (inner) {
    LET near = x + x * tail;
    return x == NUM[0] ? x : near;
  }
  if (size == NUM[1]) return lac_copy_sign$T(NUM[1.5707963267948966], x);
  LET s = sqrt(z);
  LET head = lac_head$T(s);
  LET s_low = (z - head * head) / (s + head);
  LET p = NUM[2] * s * tail - (PICK[-4.371138828673793e-08|6.123233995736766e-17lf] - NUM[2] * s_low);
  LET q = NUM[0.7853981633974483] - NUM[2] * head;
  LET y = NUM[0.7853981633974483] - (p - q);
  return lac_copy_sign$T(y, x);
})"},
      {"acos", R"(REAL lac_acos$T(REAL x) {
  if (!(abs(x) <= NUM[1])) return lac_nan$T();
  if (abs(x) < NUM[0.5]) {
    LET z = x * x;
    LET near = NUM[1.5707963267948966] -
               (x - (PICK[-4.371138828673793e-08|6.123233995736766e-17lf] - x * (z * POLY[asin_tail,z])));
    return near;
  }
  if (x == NUM[1]) return NUM[0];
  LET z = (NUM[1] - abs(x)) * NUM[0.5];
  LET s = sqrt(z);
  LET tail = z * POLY[asin_tail,z];
  if (x < NUM[0]) {
    LET w = tail * s - PICK[-4.371138828673793e-08|6.123233995736766e-17lf];
    LET far = NUM[3.141592653589793] - NUM[2] * (s + w);
    return far;
  }
  LET head = lac_head$T(s);
  LET s_low = (z - head * head) / (s + head);
  LET y = NUM[2] * (head + (tail * s + s_low));
  return y;
})"},
      {"atan", R"(// atan(c) + atan((x - c) / (1 + c x)) with c = 0, 1/2, 1, 3/2, Inf.
REAL lac_atan$T(REAL x) {
  if (lac_is_nan$T(x)) return x;
  LET size = abs(x);
  LET top = size;
  LET bottom = NUM[1];
  LET base = NUM[0];
  LET base_low = NUM[0];
  if (size >= NUM[2.4375]) {
    top = NUM[-1];
    bottom = size;
    base = NUM[1.5707963267948966];
    base_low = PICK[-4.371138828673793e-08|6.123233995736766e-17lf];
  } else if (size >= NUM[1.1875]) {
    top = size - NUM[1.5];
    bottom = NUM[1] + NUM[1.5] * size;
    base = NUM[0.982793723247329];
    base_low = PICK[-2.5131424052915463e-08|1.3903311031230998e-17lf];
  } else if (size >= NUM[0.6875]) {
    top = size - NUM[1];
    bottom = size + NUM[1];
    base = NUM[0.7853981633974483];
    base_low = PICK[-2.1855694143368964e-08|3.061616997868383e-17lf];
  } else if (size >= NUM[0.4375]) {
    top = NUM[2] * size - NUM[1];
    bottom = NUM[2] + size;
    base = NUM[0.4636476090008061];
    base_low = PICK[5.01215868808913e-09|2.2698777452961687e-17lf];
  }
  LET t = lac_is_inf$T(bottom) ? NUM[0] : top / bottom;
  LET z = t * t;
  LET tail = t * (z * POLY[atan_tail,z]);
  LET y = base + ((tail + base_low) + t);
  return lac_copy_sign$T(y, x);
})"},
      {"atan2", R"(// The angle of (x, y), with the conventions of IEC 60559 for zeros and infinities.
REAL lac_atan2$T(REAL y, REAL x) {
  if (lac_is_nan$T(x) || lac_is_nan$T(y)) return lac_nan$T();
  bool y_infinite = lac_is_inf$T(y), x_infinite = lac_is_inf$T(x), left = lac_is_negative$T(x);
  int apart = int((lac_high_word$T(y) & 0x7fffffffu) >> PICK[23|20]) - int((lac_high_word$T(x) & 0x7fffffffu) >> PICK[23|20]);
  bool upright = !x_infinite && (y_infinite || x == NUM[0] || apart > 60);
  if (y != NUM[0] && upright) return lac_copy_sign$T(NUM[1.5707963267948966], y);
  LET angle = NUM[0];
  if (x_infinite && y_infinite)
    angle = NUM[0.7853981633974483];
  else if (y != NUM[0] && !x_infinite && !(left && apart < -60))
    angle = lac_atan$T(abs(y) / abs(x));
  LET far = NUM[3.141592653589793] - (angle - PICK[-8.742277657347586e-08|1.2246467991473532e-16lf]);
  return lac_copy_sign$T(left ? far : angle, y);
})"},
  };
}

}  // namespace

std::vector<MathDefinition> trigonometric_definitions() {
  std::vector<MathDefinition> all;
  for (auto part : {reductions, functions, inverses})
    for (const MathDefinition& definition : part()) all.push_back(definition);
  return all;
}

}  // namespace lac::codegen::glsl
