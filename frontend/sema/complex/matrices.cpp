#include "frontend/sema/complex/matrices.h"

#include <cmath>

#include "frontend/sema/complex/arithmetic.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/messages.h"
#include "frontend/sema/values/operators.h"
#include "frontend/sema/values/sparse.h"

namespace lac::frontend {
namespace {

ValueId part_of_columns(Emitter& e, ValueId value, const Size& first, const Size& count) {
  const Type t = e.type(value);
  const Subscripts columns{{{SubscriptKind::all, 0, 1, t.rows}, {SubscriptKind::range, first, 1, count}}};
  return e.builder.index(value, columns, {}, t.rows, count);
}

ValueId part_of_rows(Emitter& e, ValueId value, const Size& first, const Size& count) {
  const Type t = e.type(value);
  const Subscripts rows{{{SubscriptKind::range, first, 1, count}, {SubscriptKind::all, 0, 1, t.cols}}};
  return e.builder.index(value, rows, {}, count, t.cols);
}

// A real: both parts of b are right sides.
Complex real_division(Emitter& e, ValueId a, const Complex& b, Span span) {
  const Size sides = e.type(b.re).cols;
  const ValueId x = left_divide(e, a, concatenate(e, {b.re, b.im}, Axis::cols, span), span);
  return {part_of_columns(e, x, 0, sides), part_of_columns(e, x, sides, sides)};
}

// [Ar, -Ai; Ai, Ar] [xr; xi] = [br; bi]
Complex sparse_division(Emitter& e, const Complex& a, const Complex& b, Span span) {
  const auto beside = [&](ValueId left, ValueId right) { return concatenate(e, {left, right}, Axis::cols, span); };
  const auto below = [&](ValueId upper, ValueId lower) { return concatenate(e, {upper, lower}, Axis::rows, span); };
  const Size unknowns = e.type(a.re).cols;
  const ValueId matrix = below(beside(a.re, negate(e, a.im, span)), beside(a.im, a.re));
  const ValueId x = left_divide(e, matrix, below(dense(e, b.re), dense(e, imaginary_part(e, b))), span);
  return {part_of_rows(e, x, 0, unknowns), part_of_rows(e, x, unknowns, unknowns)};
}

Element floating_class(Emitter& e, std::initializer_list<ValueId> values) {
  Element element = Element::logical;
  for (const ValueId value : values) element = arithmetic_join(element, e.type(value).element);
  return e.floating(element);
}

}  // namespace

Complex left_divide(Emitter& e, const Complex& a, const Complex& b, Span span) {
  const Type ta = e.type(a.re), tb = e.type(b.re);
  if (is_one(ta)) return ComplexArithmetic(e, span, "\\").divide(b, a);
  if (a.is_real() && b.is_real()) return {left_divide(e, a.re, b.re, span)};
  if (a.is_real()) return real_division(e, a.re, b, span);
  require_equal(e, ta.rows, tb.rows, span, nonconformant(e, "\\", a.re, b.re), {ta.rows, ta.cols, tb.rows, tb.cols},
                nonconformant_format(e, "\\"));
  if (ta.is_sparse()) return sparse_division(e, a, b, span);
  const ValueId right_im = dense(e, imaginary_part(e, b)), right = dense(e, b.re);
  const Element element = floating_class(e, {a.re, a.im, right, right_im});
  const auto in_class = [&](ValueId value) { return e.builder.convert(value, element); };
  const Type result = Type::matrix(element, ta.cols, tb.cols);
  const auto parts =
      e.builder.library(LibraryFn::complex_solve, {in_class(a.re), in_class(a.im), in_class(right), in_class(right_im)},
                        {result, result});
  return {parts[0], parts[1]};
}

Complex inverse(Emitter& e, const Complex& a) {
  const Type t = e.type(a.re);
  const auto parts = e.builder.library(LibraryFn::complex_inverse, {a.re, a.im}, {t, t});
  return {parts[0], parts[1]};
}

Complex matrix_power(Emitter& e, const Complex& a, const Complex& exponent, Span span) {
  const auto n = exponent.is_real() ? e.constant_of(exponent.re) : std::nullopt;
  if (!n || *n != std::trunc(*n) || std::abs(*n) > 64)
    e.fail(span, "a complex matrix is raised to constant integers from -64 to 64 alone");
  const Type t = e.type(a.re);
  require_equal(e, t.rows, t.cols, span,
                "for x^y, only square matrix arguments are permitted and one argument must be "
                "scalar.  Use .^ for elementwise power.",
                {},
                "for x^y, only square matrix arguments are permitted and "
                "one argument must be scalar.  Use .^ for elementwise power.");
  Complex base = *n < 0 ? inverse(e, {e.builder.convert(dense(e, a.re), e.type(a.im).element), dense(e, a.im)}) : a;
  if (*n == 0) {
    const ValueId zero = e.builder.constant(0, e.type(a.im).element);
    const ValueId i = e.builder.iota(Axis::rows, t.rows, t.cols), j = e.builder.iota(Axis::cols, t.rows, t.cols);
    return {e.builder.convert(e.builder.map(ScalarOp::eq, i, j), e.type(a.im).element),
            e.builder.fill(zero, t.rows, t.cols)};
  }
  std::optional<Complex> result;
  for (auto k = static_cast<int>(std::abs(*n)); k > 0; k /= 2) {
    if (k % 2 != 0) result = result ? multiply(e, *result, base, span) : base;
    if (k > 1) base = multiply(e, base, base, span);
  }
  return *result;
}

}  // namespace lac::frontend
