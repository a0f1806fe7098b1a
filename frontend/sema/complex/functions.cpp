// With z = x + iy. The formulas are those of Abramowitz and Stegun, chapter 4.
#include "frontend/sema/complex/functions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lac::frontend {
namespace {

using Arithmetic = ComplexArithmetic;

ValueId apply(const Arithmetic& c, ScalarOp op, ValueId x) { return c.real(op, {x}); }
ValueId product(const Arithmetic& c, ValueId x, ValueId y) { return c.real(ScalarOp::mul, {x, y}); }
ValueId negative(const Arithmetic& c, ValueId x) { return c.real(ScalarOp::neg, {x}); }

Complex times_i(const Arithmetic& c, const Complex& z) { return {negative(c, z.im), z.re}; }
Complex times_minus_i(const Arithmetic& c, const Complex& z) { return {z.im, negative(c, z.re)}; }

Complex real_number(const Arithmetic& c, double value, const Complex& like) { return {c.number(value, like.re)}; }

// exp(x) (cos y + i sin y)
Complex exp(const Arithmetic& c, const Complex& z) { return c.polar(apply(c, ScalarOp::exp, z.re), z.im); }

Complex log(const Arithmetic& c, const Complex& z) { return {apply(c, ScalarOp::log, c.magnitude(z)), c.argument(z)}; }

Complex log_of_base(const Arithmetic& c, const Complex& z, double base) {
  return c.scaled(log(c, z), c.number(1 / std::log(base), z.re));
}
Complex log2(const Arithmetic& c, const Complex& z) { return log_of_base(c, z, 2); }
Complex log10(const Arithmetic& c, const Complex& z) { return log_of_base(c, z, 10); }
// log|1 + z| = log1p(x (2 + x) + y^2) / 2 near 0, where 1 + z has lost digits.
Complex log1p(const Arithmetic& c, const Complex& z) {
  const Complex far = log(c, {c.real(ScalarOp::add, {c.number(1, z.re), z.re}), z.im});
  const ValueId twice = product(c, z.re, c.real(ScalarOp::add, {c.number(2, z.re), z.re}));
  const ValueId grown = c.real(ScalarOp::add, {twice, product(c, z.im, z.im)});
  const ValueId close = product(c, c.number(0.5, z.re), apply(c, ScalarOp::log1p, grown));
  const ValueId is_close = c.real(ScalarOp::lt, {c.magnitude(z), c.number(0.5, z.re)});
  return {c.real(ScalarOp::select, {is_close, close, far.re}), far.im};
}
Complex expm1(const Arithmetic& c, const Complex& z) { return c.subtract(exp(c, z), real_number(c, 1, z)); }

// With t = sqrt((|x| + |z|) / 2): t + i y/2t on the right, |y|/2t +- it on the left of the plane.
Complex sqrt(const Arithmetic& c, const Complex& z) {
  const ValueId zero = c.number(0, z.re), two = c.number(2, z.re);
  const ValueId sum = c.real(ScalarOp::add, {apply(c, ScalarOp::abs, z.re), c.magnitude(z)});
  const ValueId t = apply(c, ScalarOp::sqrt, c.real(ScalarOp::div, {sum, two}));
  const ValueId nothing = c.real(ScalarOp::eq, {t, zero});
  const ValueId ratio = c.real(ScalarOp::div, {apply(c, ScalarOp::abs, z.im), product(c, two, t)});
  const ValueId other = c.real(ScalarOp::select, {nothing, zero, ratio});
  const ValueId right = c.real(ScalarOp::ge, {z.re, zero}), below = c.real(ScalarOp::lt, {z.im, zero});
  const ValueId height = c.real(ScalarOp::select, {right, other, t});
  return {c.real(ScalarOp::select, {right, t, other}), c.real(ScalarOp::select, {below, negative(c, height), height})};
}

Complex sin(const Arithmetic& c, const Complex& z) {
  return {product(c, apply(c, ScalarOp::sin, z.re), apply(c, ScalarOp::cosh, z.im)),
          product(c, apply(c, ScalarOp::cos, z.re), apply(c, ScalarOp::sinh, z.im))};
}

Complex cos(const Arithmetic& c, const Complex& z) {
  return {product(c, apply(c, ScalarOp::cos, z.re), apply(c, ScalarOp::cosh, z.im)),
          negative(c, product(c, apply(c, ScalarOp::sin, z.re), apply(c, ScalarOp::sinh, z.im)))};
}

Complex sinh(const Arithmetic& c, const Complex& z) {
  return {product(c, apply(c, ScalarOp::sinh, z.re), apply(c, ScalarOp::cos, z.im)),
          product(c, apply(c, ScalarOp::cosh, z.re), apply(c, ScalarOp::sin, z.im))};
}

Complex cosh(const Arithmetic& c, const Complex& z) {
  return {product(c, apply(c, ScalarOp::cosh, z.re), apply(c, ScalarOp::cos, z.im)),
          product(c, apply(c, ScalarOp::sinh, z.re), apply(c, ScalarOp::sin, z.im))};
}

// (tanh x (1 + tan^2 y) + i tan y (1 - tanh^2 x)) / (1 + tanh^2 x tan^2 y): no quotient of what overflows.
Complex tanh(const Arithmetic& c, const Complex& z) {
  const ValueId one = c.number(1, z.re), a = apply(c, ScalarOp::tanh, z.re), b = apply(c, ScalarOp::tan, z.im);
  const ValueId aa = product(c, a, a), bb = product(c, b, b);
  const ValueId divisor = c.real(ScalarOp::add, {one, product(c, aa, bb)});
  const ValueId re = product(c, a, c.real(ScalarOp::add, {one, bb})),
                im = product(c, b, c.real(ScalarOp::sub, {one, aa}));
  return {c.real(ScalarOp::div, {re, divisor}), c.real(ScalarOp::div, {im, divisor})};
}

// tan z = -i tanh iz
Complex tan(const Arithmetic& c, const Complex& z) { return times_minus_i(c, tanh(c, times_i(c, z))); }

// asinh z = log(z + sqrt(z^2 + 1)), asin z = -i asinh iz
Complex asinh(const Arithmetic& c, const Complex& z) {
  return log(c, c.add(z, sqrt(c, c.add(c.times(z, z), real_number(c, 1, z)))));
}
Complex asin(const Arithmetic& c, const Complex& z) { return times_minus_i(c, asinh(c, times_i(c, z))); }

Complex acos(const Arithmetic& c, const Complex& z) {
  return c.subtract(real_number(c, std::numbers::pi / 2, z), asin(c, z));
}

// acosh z = log(z + sqrt(z + 1) sqrt(z - 1))
Complex acosh(const Arithmetic& c, const Complex& z) {
  const Complex one = real_number(c, 1, z);
  return log(c, c.add(z, c.times(sqrt(c, c.add(z, one)), sqrt(c, c.subtract(z, one)))));
}

// atanh z = (log(1 + z) - log(1 - z)) / 2; on its cut, z real and above 1, 1 - z lies `below` the real axis or above
// it.
Complex area_tangent(const Arithmetic& c, const Complex& z, bool below) {
  const Complex plus = log1p(c, z);
  Complex minus = log1p(c, {negative(c, z.re), negative(c, z.im)});
  if (below) minus.im = negative(c, c.argument({c.real(ScalarOp::sub, {c.number(1, z.re), z.re}), z.im}));
  return c.scaled(c.subtract(plus, minus), c.number(0.5, z.re));
}
Complex atanh(const Arithmetic& c, const Complex& z) { return area_tangent(c, z, true); }

// atan z = -i atanh iz
Complex atan(const Arithmetic& c, const Complex& z) { return times_minus_i(c, area_tangent(c, times_i(c, z), false)); }

template <ScalarOp op>
Complex by_parts(const Arithmetic& c, const Complex& z) {
  return {apply(c, op, z.re), apply(c, op, z.im)};
}

// z / |z|, and 0 of 0
Complex sign(const Arithmetic& c, const Complex& z) {
  const ValueId size = c.magnitude(z), zero = c.number(0, z.re);
  const ValueId divisor = c.real(ScalarOp::select, {c.real(ScalarOp::eq, {size, zero}), c.number(1, z.re), size});
  return c.divide(z, {divisor});
}

Complex abs(const Arithmetic& c, const Complex& z) { return {c.magnitude(z)}; }
Complex arg(const Arithmetic& c, const Complex& z) { return {c.argument(z)}; }
Complex real(const Arithmetic&, const Complex& z) { return {z.re}; }
Complex imag(const Arithmetic&, const Complex& z) { return {z.im}; }
Complex conj(const Arithmetic& c, const Complex& z) { return {z.re, negative(c, z.im)}; }

template <ScalarOp test, ScalarOp joined>
Complex tested(const Arithmetic& c, const Complex& z) {
  return {c.real(joined, {apply(c, test, z.re), apply(c, test, z.im)})};
}

struct Entry {
  std::string_view name;
  ComplexFunction function;
};

constexpr Entry entries[] = {
    {"abs", abs},
    {"real", real},
    {"imag", imag},
    {"conj", conj},
    {"arg", arg},
    {"angle", arg},
    {"exp", exp},
    {"expm1", expm1},
    {"log", log},
    {"log2", log2},
    {"log10", log10},
    {"log1p", log1p},
    {"sqrt", sqrt},
    {"sin", sin},
    {"cos", cos},
    {"tan", tan},
    {"sinh", sinh},
    {"cosh", cosh},
    {"tanh", tanh},
    {"asin", asin},
    {"acos", acos},
    {"atan", atan},
    {"asinh", asinh},
    {"acosh", acosh},
    {"atanh", atanh},
    {"round", by_parts<ScalarOp::round>},
    {"floor", by_parts<ScalarOp::floor>},
    {"ceil", by_parts<ScalarOp::ceil>},
    {"fix", by_parts<ScalarOp::fix>},
    {"sign", sign},
    {"isnan", tested<ScalarOp::is_nan, ScalarOp::logical_or>},
    {"isinf", tested<ScalarOp::is_inf, ScalarOp::logical_or>},
    {"isfinite", tested<ScalarOp::is_finite, ScalarOp::logical_and>},
};

}  // namespace

ComplexFunction find_complex_function(std::string_view name) {
  const auto found = std::ranges::find(entries, name, &Entry::name);
  return found == std::end(entries) ? nullptr : found->function;
}

}  // namespace lac::frontend
