// Determinants, inverses and factorisations of complex matrices.
#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/complex/arithmetic.h"
#include "frontend/sema/complex/matrices.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/operators.h"
#include "frontend/sema/values/structured.h"

namespace lac::frontend {
namespace {

using Bindings = std::vector<Binding>;

/// Argument 0, in a floating class also where another argument is what is complex.
Complex floating_argument(Call& call) {
  const Complex a = complex_argument(call, 0);
  return parts_of(call.emit, complex_binding(call.emit, {a.re, imaginary_part(call.emit, a)}));
}

/// Argument 0; a square one where the message says what is wrong otherwise.
Complex square_argument(Call& call, const std::string& not_square) {
  const Complex a = floating_argument(call);
  const Type t = call.type(a.re);
  if (!t.is_dense()) call.fail("of a sparse complex matrix is not supported: take full(A)");
  require_equal(call.emit, t.rows, t.cols, call.span, not_square, {}, not_square);
  return a;
}

std::vector<ValueId> step(Call& call, LibraryFn fn, const Complex& a, const std::vector<Type>& types) {
  return call.emit.builder.library(fn, {a.re, imaginary_part(call.emit, a)}, types);
}

/// 1 / (norm(A, 1) * norm(inv(A), 1)); of a number 1, or 0 where it or its inverse is 0, and NaN of NaN.
ValueId condition_of(Call& call, const Complex& a, const Complex& inverted) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const auto size_of = [&](const Complex& z) {
    return call.walk
        .call_by_name("norm", {complex_binding(e, z), Binding::matrix(b.constant(1, Element::integer))}, 1, call.span)
        .front()
        .value;
  };
  const ValueId own = size_of(a), other = size_of(inverted);
  const Element element = call.type(own).element;
  const ValueId zero = b.constant(0, element), one = b.constant(1, element);
  const auto is_zero = [&](ValueId size) { return b.map(ScalarOp::eq, size, zero); };
  const ValueId degenerate = b.map(ScalarOp::logical_or, is_zero(own), is_zero(other));
  const ValueId estimate = call.type(a.re).is_scalar() ? b.map(ScalarOp::select, b.map(ScalarOp::is_nan, own), own, one)
                                                       : b.map(ScalarOp::div, one, b.map(ScalarOp::mul, own, other));
  return b.map(ScalarOp::select, degenerate, zero, estimate);
}

Bindings inv(Call& call) {
  const Complex a = square_argument(call, "inverse: argument must be a square matrix");
  const Complex inverted = inverse(call.emit, a);
  Bindings results = one(call, inverted);
  if (call.nargout > 1) results.push_back(Binding::matrix(condition_of(call, a, inverted)));
  return results;
}

Bindings det(Call& call) {
  const Complex a = square_argument(call, "det: A must be a square matrix");
  const Type number = Type::scalar(call.type(a.re).element);
  const auto parts = step(call, LibraryFn::complex_det, a, {number, number});
  return one(call, {parts[0], parts[1]});
}

Bindings lu(Call& call) {
  Emitter& e = call.emit;
  if (call.nargout < 2) call.fail("of a complex matrix has two or three results: [L, U, P] = lu(A)");
  const Complex a = floating_argument(call);
  const Type t = call.type(a.re);
  const bool vector = call.is_text(1) && call.args[1].text == "vector";
  const Size inner = e.minimum(t.rows, t.cols);
  const Type lower = Type::matrix(t.element, t.rows, inner), upper = Type::matrix(t.element, inner, t.cols);
  const auto parts =
      step(call, LibraryFn::complex_lu, a, {lower, lower, upper, upper, Type::matrix(Element::integer, 1, t.rows)});
  const Complex left{parts[0], parts[1]};
  const Binding right = complex_binding(e, {parts[2], parts[3]});
  if (call.nargout == 3 && vector) return {complex_binding(e, left), right, Binding::matrix(parts[4])};
  const ValueId permutation = permutation_matrix(e, parts[4], e.graph.precision);
  if (call.nargout == 3) return {complex_binding(e, left), right, Binding::matrix(permutation)};
  return {complex_binding(e, multiply(e, {transpose(e, permutation)}, left, call.span)), right};
}

Bindings chol(Call& call) {
  Emitter& e = call.emit;
  const bool lower = call.is_text(1) && call.args[1].text == "lower";
  Complex a = square_argument(call, "chol: requires square matrix");
  // The step reads the upper triangle: that of A' is the lower one of A.
  if (lower) a = parts_of(e, transpose(e, complex_binding(e, a), true, call.span));
  const Type t = call.type(a.re);
  if (call.nargout > 1) call.fail("of a complex matrix has one result");
  const auto parts = step(call, LibraryFn::complex_cholesky, a, {t, t, Type::scalar(Element::integer)});
  e.require(e.builder.map(ScalarOp::eq, parts[2], e.builder.constant(0, Element::integer)),
            "chol: input matrix must be positive definite", {});
  const Binding factor = complex_binding(e, {parts[0], parts[1]});
  return {lower ? transpose(e, factor, true, call.span) : factor};
}

/// B of [C, R] = qr(A, B), where C is Q' * B.
bool has_right_side(const Call& call) {
  if (call.count() < 2 || call.is_text(1)) return false;
  return call.args[1].is_complex() || call.emit.constant_of(call.args[1].value) != 0.0;
}

Bindings qr(Call& call) {
  Emitter& e = call.emit;
  const Complex a = floating_argument(call);
  const Type t = call.type(a.re);
  if (call.nargout > 2 || call.count() > 2) call.fail("of a complex matrix takes A and 0 or B, and has two results");
  const bool right_side = has_right_side(call);
  const Size inner = call.count() > 1 && !right_side ? e.minimum(t.rows, t.cols) : t.rows;
  const Type q = Type::matrix(t.element, t.rows, inner), r = Type::matrix(t.element, inner, t.cols);
  const auto parts = step(call, LibraryFn::complex_qr, a, {q, q, r, r});
  const Binding right = complex_binding(e, {parts[2], parts[3]});
  if (call.nargout < 2) return {right};
  const Binding left = complex_binding(e, {parts[0], parts[1]});
  if (!right_side) return {left, right};
  const Binding turned = transpose(e, left, true, call.span);
  return {complex_binding(e, multiply(e, parts_of(e, turned), complex_argument(call, 1), call.span)), right};
}

Bindings svd(Call& call) {
  Emitter& e = call.emit;
  const Complex a = floating_argument(call);
  const Type t = call.type(a.re);
  const Size inner = e.minimum(t.rows, t.cols);
  const Type column = Type::matrix(t.element, inner, 1);
  if (call.nargout < 2) return lac::frontend::one(step(call, LibraryFn::complex_singular_values, a, {column})[0]);
  const bool economy = call.count() > 1;
  const Type u = Type::matrix(t.element, t.rows, economy ? inner : t.rows);
  const Type v = Type::matrix(t.element, t.cols, economy && call.is_text(1) ? inner : t.cols);
  const auto parts = step(call, LibraryFn::complex_svd, a, {u, u, column, v, v});
  return {complex_binding(e, {parts[0], parts[1]}), Binding::matrix(diagonal_matrix(e, parts[2], u.cols, v.cols)),
          complex_binding(e, {parts[3], parts[4]})};
}

Bindings eig(Call& call) {
  Emitter& e = call.emit;
  if (call.count() > 1 || call.nargout > 2) call.fail("of a complex matrix takes A alone, and has two results");
  const Complex a = square_argument(call, "eig: A must be a square matrix");
  const Type t = call.type(a.re), column = Type::matrix(t.element, t.rows, 1);
  if (call.nargout < 2) {
    const auto values = step(call, LibraryFn::complex_spectrum, a, {column, column});
    return one(call, {values[0], values[1]});
  }
  const auto parts = step(call, LibraryFn::complex_spectrum_vectors, a, {t, t, column, column});
  const auto diagonal = [&](ValueId part) { return diagonal_matrix(e, part, t.rows, t.rows); };
  return {complex_binding(e, {parts[0], parts[1]}), complex_binding(e, {diagonal(parts[2]), diagonal(parts[3])})};
}

}  // namespace

std::span<const Builtin> complex_factor_overloads() {
  static constexpr Builtin entries[] = {
      {"inv", 1, 1, 2, inv},   {"inverse", 1, 1, 2, inv}, {"det", 1, 1, 1, det}, {"lu", 1, 2, 3, lu},
      {"chol", 1, 2, 2, chol}, {"qr", 1, 2, 2, qr},       {"svd", 1, 2, 3, svd}, {"eig", 1, 4, 3, eig},
  };
  return entries;
}

}  // namespace lac::frontend
