#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "ir/scalar/scalar_op.h"

namespace lac {
namespace {

using Function = double (*)(double, double, double);
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Octave's mod and rem: NaN for infinite operands; exact for integers below 2^53; a quotient that is an integer to
// rounding gives zero, which has a sign except where both operands are the same. Each step is rounded to Real.
template <typename Real>
Real modulo(Real x, Real y, Real (*to_integer)(Real)) {
  const Real quotient = x / y;
  const bool y_is_integer = std::round(y) == y;
  if (!y_is_integer && std::round(quotient) != 0 &&
      std::abs((quotient - std::round(quotient)) / std::round(quotient)) < std::numeric_limits<Real>::epsilon())
    return 0;
  const Real product = y * to_integer(quotient);
  return x - product;  // two roundings, as Octave: mod(1e17, 7) is 0
}

template <typename Real>
Real mod(Real x, Real y) {
  if (y == 0) return x;
  if (std::isnan(x) || std::isnan(y)) return x + y;
  if (!std::isfinite(x) || !std::isfinite(y)) return std::numeric_limits<Real>::quiet_NaN();
  const Real m = modulo<Real>(x, y, [](Real q) { return std::floor(q); });
  return x == y ? Real(0) : std::copysign(m, y);
}

template <typename Real>
Real rem(Real x, Real y) {
  if (y == 0) return std::numeric_limits<Real>::quiet_NaN();
  if (std::isnan(x) || std::isnan(y)) return x + y;
  if (!std::isfinite(x) || !std::isfinite(y)) return std::numeric_limits<Real>::quiet_NaN();
  const Real m = modulo<Real>(x, y, [](Real q) { return std::trunc(q); });
  return x == y ? Real(0) : std::copysign(m, x);
}

double power(double x, double y) {
  return x < 0 && std::isfinite(x) && std::isfinite(y) && y != std::trunc(y) ? nan : std::pow(x, y);
}

std::uint64_t bits_of(double x) {
  if (x >= 0x1p64) return std::numeric_limits<std::uint64_t>::max();
  return x > 0 ? static_cast<std::uint64_t>(x) : 0;
}

double gamma_function(double x) {
  if (x == 0) return std::signbit(x) ? -INFINITY : INFINITY;
  if (x < 0 && x == std::trunc(x)) return INFINITY;               // Octave's convention at the poles
  return x == -INFINITY || std::isnan(x) ? nan : std::tgamma(x);  // NA is no more than NaN here
}

struct Entry {
  ScalarOp op;
  Function function;
};

#define LAC_UNARY(name, expression)                                               \
  {                                                                               \
    ScalarOp::name, [](double a, double, double) -> double { return expression; } \
  }
#define LAC_BINARY(name, expression)                                                \
  {                                                                                 \
    ScalarOp::name, [](double a, double b, double) -> double { return expression; } \
  }

constexpr Entry table[] = {
    LAC_BINARY(add, a + b),
    LAC_BINARY(sub, a - b),
    LAC_BINARY(mul, a* b),
    LAC_BINARY(div, a / b),
    LAC_UNARY(neg, -a),
    LAC_UNARY(abs, std::fabs(a)),
    LAC_UNARY(sign, std::isnan(a) ? nan : static_cast<double>((a > 0) - (a < 0))),
    LAC_BINARY(min, std::isnan(a)               ? b
                    : (std::isnan(b) || a <= b) ? a
                                                : b),
    LAC_BINARY(max, std::isnan(a)               ? b
                    : (std::isnan(b) || a >= b) ? a
                                                : b),
    LAC_BINARY(mod, mod(a, b)),
    LAC_BINARY(rem, rem(a, b)),
    LAC_UNARY(floor, std::floor(a)),
    LAC_UNARY(ceil, std::ceil(a)),
    LAC_UNARY(round, std::round(a)),
    LAC_UNARY(fix, std::trunc(a)),
    LAC_BINARY(pow, power(a, b)),
    LAC_BINARY(hypot, std::hypot(a, b)),
    LAC_BINARY(atan2, std::atan2(a, b)),
    LAC_UNARY(sqrt, std::sqrt(a)),
    LAC_UNARY(cbrt, std::cbrt(a)),
    LAC_UNARY(exp, std::exp(a)),
    LAC_UNARY(expm1, std::expm1(a)),
    LAC_UNARY(log, std::log(a)),
    LAC_UNARY(log1p, std::log1p(a)),
    LAC_UNARY(log2, std::log2(a)),
    LAC_UNARY(log10, std::log10(a)),
    LAC_UNARY(sin, std::sin(a)),
    LAC_UNARY(cos, std::cos(a)),
    LAC_UNARY(tan, std::tan(a)),
    LAC_UNARY(asin, std::asin(a)),
    LAC_UNARY(acos, std::acos(a)),
    LAC_UNARY(atan, std::atan(a)),
    LAC_UNARY(sinh, std::sinh(a)),
    LAC_UNARY(cosh, std::cosh(a)),
    LAC_UNARY(tanh, std::tanh(a)),
    LAC_UNARY(asinh, std::asinh(a)),
    LAC_UNARY(acosh, std::acosh(a)),
    LAC_UNARY(atanh, std::atanh(a)),
    LAC_UNARY(erf, std::erf(a)),
    LAC_UNARY(erfc, std::erfc(a)),
    LAC_UNARY(gamma, gamma_function(a)),
    LAC_UNARY(lgamma, std::lgamma(a)),
    LAC_BINARY(eq, a == b),
    LAC_BINARY(ne, a != b),
    LAC_BINARY(lt, a < b),
    LAC_BINARY(le, a <= b),
    LAC_BINARY(gt, a > b),
    LAC_BINARY(ge, a >= b),
    LAC_BINARY(logical_and, a != 0 && b != 0),
    LAC_BINARY(logical_or, a != 0 || b != 0),
    LAC_BINARY(logical_xor, (a != 0) != (b != 0)),
    LAC_UNARY(logical_not, a == 0),
    LAC_BINARY(bit_and, static_cast<double>(bits_of(a) & bits_of(b))),
    LAC_BINARY(bit_or, static_cast<double>(bits_of(a) | bits_of(b))),
    LAC_BINARY(bit_xor, static_cast<double>(bits_of(a) ^ bits_of(b))),
    LAC_UNARY(is_nan, std::isnan(a)),
    LAC_UNARY(is_inf, std::isinf(a)),
    LAC_UNARY(is_finite, std::isfinite(a)),
    {ScalarOp::select, [](double a, double b, double c) -> double { return a != 0 ? b : c; }},
};
#undef LAC_UNARY
#undef LAC_BINARY

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < std::size(table); ++i)
    if (static_cast<std::size_t>(table[i].op) != i) return false;
  return std::size(table) == scalar_op_count;
}
static_assert(is_in_order());

}  // namespace

double evaluate(ScalarOp op, double a, double b, double c) { return table[static_cast<int>(op)].function(a, b, c); }

double evaluate_as(Element element, ScalarOp op, double a, double b, double c) {
  if (element == Element::single && (op == ScalarOp::mod || op == ScalarOp::rem)) {
    const auto x = static_cast<float>(a), y = static_cast<float>(b);
    return static_cast<double>(op == ScalarOp::mod ? mod(x, y) : rem(x, y));
  }
  return round_to(element, evaluate(op, a, b, c));
}

}  // namespace lac
