#include "frontend/sema/complex/arithmetic.h"

#include <cmath>
#include <numbers>

#include "frontend/sema/complex/matrices.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/operators.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/structured.h"

namespace lac::frontend {

ValueId ComplexArithmetic::real(ScalarOp op, std::vector<ValueId> operands) const {
  return elementwise(e_, op, std::move(operands), span_, name_);
}

ValueId ComplexArithmetic::number(double value, ValueId like) const {
  return e_.builder.constant(value, e_.floating(e_.type(like).element));
}

/// `part` with the extents that it has beside `other`.
ValueId ComplexArithmetic::spread(ValueId part, ValueId other) const {
  const Type t = e_.type(other);
  if (is_one(t) || e_.type(part).same_shape(t)) return part;
  return real(ScalarOp::add, {part, e_.builder.fill(number(0, part), t.rows, t.cols)});
}

Complex ComplexArithmetic::sum(ScalarOp op, const Complex& a, const Complex& b) const {
  const ValueId re = real(op, {a.re, b.re});
  if (a.is_real() && b.is_real()) return {re};
  if (b.is_real()) return {re, spread(a.im, b.re)};
  if (!a.is_real()) return {re, real(op, {a.im, b.im})};
  return {re, spread(op == ScalarOp::sub ? real(ScalarOp::neg, {b.im}) : b.im, a.re)};
}

Complex ComplexArithmetic::scaled(const Complex& a, ValueId factor) const {
  return each_part(a, [&](ValueId part) { return real(ScalarOp::mul, {part, factor}); });
}

// (a + ib)(c + id) = ac - bd + i(ad + bc)
Complex ComplexArithmetic::times(const Complex& a, const Complex& b) const {
  if (b.is_real()) return scaled(a, b.re);
  if (a.is_real()) return scaled(b, a.re);
  const auto product = [&](ValueId x, ValueId y) { return real(ScalarOp::mul, {x, y}); };
  return {real(ScalarOp::sub, {product(a.re, b.re), product(a.im, b.im)}),
          real(ScalarOp::add, {product(a.re, b.im), product(a.im, b.re)})};
}

// Smith's algorithm (Communications of the ACM 5, 1962): the larger part of the divisor is divided by first, so that no
// square overflows. For |c| >= |d| with r = d/c: (a + ib)/(c + id) = ((a + br) + i(b - ar)) / (c + dr).
Complex ComplexArithmetic::divide(const Complex& a, const Complex& b) const {
  if (b.is_real()) return each_part(a, [&](ValueId part) { return real(ScalarOp::div, {part, b.re}); });
  const ValueId zero = number(0, b.re);
  const ValueId by_real = real(ScalarOp::ge, {real(ScalarOp::abs, {b.re}), real(ScalarOp::abs, {b.im})});
  const auto either = [&](ValueId x, ValueId y) { return real(ScalarOp::select, {by_real, x, y}); };
  const ValueId large = either(b.re, b.im), small = either(b.im, b.re);
  const ValueId none = real(ScalarOp::eq, {small, zero});
  const ValueId ratio = real(ScalarOp::select, {none, zero, real(ScalarOp::div, {small, large})});
  const ValueId divisor = real(ScalarOp::add, {large, real(ScalarOp::mul, {small, ratio})});
  const auto times_ratio = [&](ValueId x) { return real(ScalarOp::mul, {x, ratio}); };
  const auto over = [&](ValueId x) { return real(ScalarOp::div, {x, divisor}); };
  if (a.is_real()) {
    const ValueId scaled = times_ratio(a.re), nothing = real(ScalarOp::eq, {large, zero});
    return {over(either(a.re, scaled)),  // 1/(0 + 0i) is 1/0: Octave has made the divisor real
            real(ScalarOp::select, {nothing, zero, over(real(ScalarOp::sub, {zero, either(scaled, a.re)}))})};
  }
  const ValueId re =
      either(real(ScalarOp::add, {a.re, times_ratio(a.im)}), real(ScalarOp::add, {times_ratio(a.re), a.im}));
  const ValueId im =
      either(real(ScalarOp::sub, {a.im, times_ratio(a.re)}), real(ScalarOp::sub, {times_ratio(a.im), a.re}));
  return {over(re), over(im)};
}

ValueId ComplexArithmetic::magnitude(const Complex& a) const {
  return a.is_real() ? real(ScalarOp::abs, {a.re}) : real(ScalarOp::hypot, {a.re, a.im});
}

ValueId ComplexArithmetic::argument(const Complex& a) const {
  const ValueId zero = number(0, a.re);
  // Octave has made a value real whose imaginary part is -0: its argument is pi on the left of the plane, not -pi.
  const ValueId im = a.is_real() ? zero : real(ScalarOp::select, {real(ScalarOp::eq, {a.im, zero}), zero, a.im});
  return real(ScalarOp::atan2, {im, a.re});
}

Complex ComplexArithmetic::polar(ValueId magnitude, ValueId argument) const {
  return {real(ScalarOp::mul, {magnitude, real(ScalarOp::cos, {argument})}),
          real(ScalarOp::mul, {magnitude, real(ScalarOp::sin, {argument})})};
}

Complex ComplexArithmetic::select(ValueId condition, const Complex& yes, const Complex& no) const {
  const ValueId re = real(ScalarOp::select, {condition, yes.re, no.re});
  if (yes.is_real() && no.is_real()) return {re};
  return {re, real(ScalarOp::select, {condition, imaginary_part(e_, yes), imaginary_part(e_, no)})};
}

// By repeated squaring, as Octave does for integers.
Complex ComplexArithmetic::whole_power(const Complex& a, int exponent) const {
  Complex square = a;
  std::optional<Complex> result;
  for (int n = std::abs(exponent); n > 0; n /= 2) {
    if (n % 2 != 0) result = result ? times(*result, square) : square;
    if (n > 1) square = times(square, square);
  }
  return exponent < 0 ? divide({number(1, a.re)}, *result) : *result;
}

// z^w = exp(w log z), as std::pow of the C++ library, which Octave calls; 0^w is 0, and 1 where w is 0.
Complex ComplexArithmetic::power(const Complex& a, const Complex& b) const {
  const std::optional<double> exponent = b.is_real() ? e_.constant_of(b.re) : std::nullopt;
  constexpr double most_written_out = 64;
  if (exponent && *exponent == std::trunc(*exponent) && *exponent != 0 && std::abs(*exponent) <= most_written_out)
    return whole_power(a, static_cast<int>(*exponent));
  const ValueId size = magnitude(a), zero = number(0, a.re);
  const ValueId logarithm = real(ScalarOp::log, {size}), angle = argument(a);
  Complex result;
  if (b.is_real()) {
    result = polar(real(ScalarOp::pow, {size, b.re}), real(ScalarOp::mul, {angle, b.re}));
  } else {
    const Complex t = times({logarithm, angle}, b);
    result = polar(real(ScalarOp::exp, {t.re}), t.im);
  }
  const ValueId nothing = real(ScalarOp::eq, {size, zero});
  const ValueId at_zero = real(ScalarOp::select, {real(ScalarOp::eq, {magnitude(b), zero}), number(1, a.re), zero});
  return select(nothing, {at_zero}, result);
}

Complex conjugate(Emitter& e, const Complex& value, Span span) {
  if (value.is_real()) return value;
  if (diagonal_of(e, value.im)) return {value.re, negate(e, value.im, span)};
  return {value.re, elementwise(e, ScalarOp::neg, {value.im}, span, "conj")};
}

Complex multiply(Emitter& e, const Complex& a, const Complex& b, Span span) {
  const auto product = [&](ValueId x, ValueId y) { return multiply(e, x, y, span); };
  if (b.is_real()) return each_part(a, [&](ValueId part) { return product(part, b.re); });
  if (a.is_real()) return each_part(b, [&](ValueId part) { return product(a.re, part); });
  const ValueId re = binary(e, ast::BinaryOp::subtract, product(a.re, b.re), product(a.im, b.im), span);
  return {re, binary(e, ast::BinaryOp::add, product(a.re, b.im), product(a.im, b.re), span)};
}

Binding transpose(Emitter& e, const Binding& value, bool conjugates, Span span) {
  const Complex turned = each_part(parts_of(e, value), [&](ValueId part) { return transpose(e, part); });
  return complex_binding(e, conjugates ? conjugate(e, turned, span) : turned);
}

Binding negate(Emitter& e, const Binding& value, Span span) {
  return complex_binding(e, each_part(parts_of(e, value), [&](ValueId part) { return negate(e, part, span); }));
}

namespace {

// Complex values are ordered by magnitude, then by argument, where -pi counts as pi; real ones beside them have none,
// also where they are negative.
ValueId ordered(Emitter& e, ast::BinaryOp op, const Complex& a, const Complex& b, Span span) {
  const std::string name(ast::spelling(op));
  const ComplexArithmetic c(e, span, name);
  const auto angle = [&](const Complex& z) {
    const ValueId raw = c.argument(z), pi = c.number(std::numbers::pi, raw);
    const ValueId turned =
        c.real(ScalarOp::select, {c.real(ScalarOp::eq, {raw, c.real(ScalarOp::neg, {pi})}), pi, raw});
    return c.real(ScalarOp::select, {is_narrow(e, z), c.number(0, raw), turned});
  };
  const auto compare = [&](ast::BinaryOp how, ValueId x, ValueId y) { return binary(e, how, x, y, span); };
  const ValueId left = c.magnitude(a), right = c.magnitude(b);
  const bool or_equal = op == ast::BinaryOp::less_equal || op == ast::BinaryOp::greater_equal;
  const bool less = op == ast::BinaryOp::less || op == ast::BinaryOp::less_equal;
  const ast::BinaryOp strict = less ? ast::BinaryOp::less : ast::BinaryOp::greater;
  const ValueId by_angle = compare(or_equal ? op : strict, angle(a), angle(b));
  const ValueId as_complex =
      c.real(ScalarOp::select, {compare(ast::BinaryOp::equal, left, right), by_angle, compare(strict, left, right)});
  const ValueId both = e.builder.map(ScalarOp::logical_and, is_narrow(e, a), is_narrow(e, b));
  return c.real(ScalarOp::select, {both, compare(op, a.re, b.re), as_complex});
}

ValueId equal(Emitter& e, bool negated, const Complex& a, const Complex& b, Span span) {
  const ast::BinaryOp each = negated ? ast::BinaryOp::not_equal : ast::BinaryOp::equal;
  const ValueId re = binary(e, each, a.re, b.re, span);
  const ValueId zero = e.builder.constant(0, e.graph.precision);
  const ValueId im = binary(e, each, a.is_real() ? zero : a.im, b.is_real() ? zero : b.im, span);
  return binary(e, negated ? ast::BinaryOp::logical_or : ast::BinaryOp::logical_and, re, im, span);
}

}  // namespace

bool is_power_by_loop(const Emitter& e, ast::BinaryOp op, const Binding& base, const Binding& exponent) {
  if (!base.is_complex() || !exponent.is_matrix() || !e.options.find_function) return false;
  const Type b = e.type(base.aggregate->slots[0].items[0].value);
  const Type t = e.type(exponent.value);
  const bool by_elements =
      op == ast::BinaryOp::element_power || (op == ast::BinaryOp::power && b.is_scalar() && t.is_scalar());
  return by_elements && t.element == Element::integer && t.is_dense() && !e.constant_of(exponent.value);
}

Binding binary(Emitter& e, ast::BinaryOp op, const Binding& left, const Binding& right, Span span) {
  using ast::BinaryOp;
  if (left.is_matrix() && right.is_matrix()) return Binding::matrix(binary(e, op, left.value, right.value, span));
  const Complex a = parts_of(e, left), b = parts_of(e, right);
  const ComplexArithmetic c(e, span, std::string(ast::spelling(op)));
  const auto made = [&](const Complex& value) { return complex_binding(e, value); };
  const auto each = [&](auto&& of_parts) { return made(of_parts); };
  switch (op) {
    case BinaryOp::add:
    case BinaryOp::subtract: {
      const Type ta = e.type(a.re), tb = e.type(b.re);
      if (ta.is_dense() && tb.is_dense()) return made(op == BinaryOp::add ? c.add(a, b) : c.subtract(a, b));
      const ValueId re = binary(e, op, a.re, b.re, span);
      // The parts of a sparse value have patterns, and storages, of their own.
      if (ta.is_sparse() && tb.is_sparse() && ta.same_shape(tb) && (a.is_real() || b.is_real()))
        return made({re, b.is_real() ? a.im : op == BinaryOp::add ? b.im : negate(e, b.im, span)});
      return made({re, binary(e, op, imaginary_part(e, a), imaginary_part(e, b), span)});
    }
    case BinaryOp::times: return each(c.times(a, b));
    case BinaryOp::element_divide: return each(c.divide(a, b));
    case BinaryOp::element_left_divide: return each(c.divide(b, a));
    case BinaryOp::element_power: return each(c.power(a, b));
    case BinaryOp::multiply: return made(multiply(e, a, b, span));
    case BinaryOp::left_divide: return made(left_divide(e, a, b, span));
    case BinaryOp::divide: {
      if (b.is_real() && !a.is_real() && is_one(e.type(b.re)) && diagonal_of(e, a.re) && diagonal_of(e, a.im))
        return made(each_part(a, [&](ValueId part) { return *scaled_diagonal(e, ScalarOp::div, part, b.re, span); }));
      if (is_one(e.type(b.re))) return made(c.divide(a, b));
      const Binding x = transpose(e, right, false, span), y = transpose(e, left, false, span);
      return transpose(e, made(left_divide(e, parts_of(e, x), parts_of(e, y), span)), false, span);
    }
    case BinaryOp::power:
      if (is_one(e.type(a.re)) && is_one(e.type(b.re))) return made(c.power(a, b));
      return made(matrix_power(e, a, b, span));
    case BinaryOp::equal: return Binding::matrix(equal(e, false, a, b, span));
    case BinaryOp::not_equal: return Binding::matrix(equal(e, true, a, b, span));
    case BinaryOp::less:
    case BinaryOp::less_equal:
    case BinaryOp::greater:
    case BinaryOp::greater_equal: {
      const ValueId holds = ordered(e, op, a, b, span);
      const bool sparse = e.type(a.re).is_sparse() || e.type(b.re).is_sparse();
      return Binding::matrix(sparse && e.type(holds).is_dense() ? to_csr(e, holds) : holds);
    }
    case BinaryOp::logical_and:
    case BinaryOp::logical_or: return Binding::matrix(binary(e, op, nonzero(e, a, span), nonzero(e, b, span), span));
    default: e.fail(span, "operator " + std::string(ast::spelling(op)) + " is not supported for complex values");
  }
}

}  // namespace lac::frontend
