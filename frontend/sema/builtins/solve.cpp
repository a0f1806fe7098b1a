// Solves, inverses and determinants.
#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/messages.h"
#include "frontend/sema/values/operators.h"
#include "frontend/sema/values/structured.h"

namespace lac::frontend {

ValueId floating_matrix(Call& call, std::size_t i) {
  const ValueId value = call.dense(i);
  const Element element = call.type(value).element;
  return call.emit.builder.convert(value, call.emit.floating(element));
}

ValueId square_matrix(Call& call, std::size_t i, const std::string& not_square) {
  const ValueId value = floating_matrix(call, i);
  const Type t = call.type(value);
  require_equal(call.emit, t.rows, t.cols, call.span, not_square + ", but is " + shape_text(call.emit, value), {},
                not_square);
  return value;
}

namespace {

std::vector<Binding> with_rcond(Call& call, ValueId value, ValueId rcond) {
  if (call.nargout < 2) return one(value);
  return {Binding::matrix(value), Binding::matrix(rcond)};
}

// min |d| / max |d|
ValueId diagonal_rcond(Call& call, ValueId diagonal) {
  Builder& b = call.emit.builder;
  const ValueId size = b.map(ScalarOp::abs, diagonal);
  return b.map(ScalarOp::div, b.reduce(size, {ReduceOp::min, Axis::all}), b.reduce(size, {ReduceOp::max, Axis::all}));
}

std::vector<Binding> det(Call& call) {
  Emitter& e = call.emit;
  const ValueId original = call.dense(0);
  if (call.type(original).rows.is(0) || call.type(original).cols.is(0))
    return with_rcond(call, e.builder.constant(1, e.graph.precision), e.builder.constant(1, e.graph.precision));
  const ValueId a = square_matrix(call, 0, "det: A must be a square matrix");
  const Type scalar = Type::scalar(call.type(a).element);
  const auto parts = e.builder.library(LibraryFn::det, {a}, {scalar, scalar});
  const auto diagonal = diagonal_of(e, original);
  if (!diagonal || call.nargout < 2) return with_rcond(call, parts[0], parts[1]);
  return with_rcond(call, parts[0], diagonal_rcond(call, e.builder.convert(*diagonal, scalar.element)));
}

// 1/d on the diagonal; all Inf with a warning where one element is zero, an error where all are: as Octave has it.
std::vector<Binding> diagonal_inverse(Call& call, ValueId diagonal, const Size& order) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const Element given = call.type(diagonal).element;
  const Element element = e.floating(given);
  diagonal = b.convert(diagonal, element);
  const ValueId zero = b.map(ScalarOp::eq, diagonal, b.constant(0, element));
  const ValueId some = b.reduce(zero, {ReduceOp::any, Axis::all}), all = b.reduce(zero, {ReduceOp::all, Axis::all});
  e.require(b.map(ScalarOp::logical_not, all), "inverse of the null matrix not defined", {});
  if (call.nargout < 2) {
    Message message;
    message.stream = Stream::err;
    message.id = "Octave:singular-matrix";
    message.format = "matrix singular to machine precision";
    b.warn(b.map(ScalarOp::logical_not, some), message, {});
  }
  const ValueId infinite = b.map(ScalarOp::div, b.constant(1, element), b.constant(0, element));
  const ValueId inverted =
      b.map(ScalarOp::select, some, infinite, b.map(ScalarOp::div, b.constant(1, element), diagonal));
  return with_rcond(call, diagonal_matrix(e, inverted, order, order), diagonal_rcond(call, diagonal));
}

// A scalar is inverted without a warning; its estimate is 0 where it or its inverse is 0, else 1 (or NaN).
std::vector<Binding> scalar_inverse(Call& call, ValueId value) {
  Builder& b = call.emit.builder;
  const auto constant = [&](double number) { return b.constant(number, call.type(value).element); };
  const ValueId inverse = b.map(ScalarOp::div, constant(1), value);
  if (call.nargout < 2) return one(inverse);
  const ValueId degenerate =
      b.map(ScalarOp::logical_or, b.map(ScalarOp::eq, value, constant(0)), b.map(ScalarOp::eq, inverse, constant(0)));
  const ValueId ordinary = b.map(ScalarOp::select, b.map(ScalarOp::is_nan, value), value, constant(1));
  return with_rcond(call, inverse, b.map(ScalarOp::select, degenerate, constant(0), ordinary));
}

std::vector<Binding> inverse(Call& call) {
  Emitter& e = call.emit;
  const ValueId original = call.dense(0);
  const auto has_nothing = [&](ValueId value) { return call.type(value).rows.is(0) || call.type(value).cols.is(0); };
  if (has_nothing(original)) return with_rcond(call, e.nothing(), e.builder.constant(0, e.graph.precision));
  const ValueId a = square_matrix(call, 0, "inverse: A must be a square matrix");
  const Type t = call.type(a);
  if (const auto diagonal = diagonal_of(e, original)) return diagonal_inverse(call, *diagonal, t.rows);
  if (e.facts.permutations.count(original) != 0) return one(transpose(e, original));
  if (t.is_scalar()) return scalar_inverse(call, a);
  const ValueId warning = e.builder.constant(call.nargout < 2 ? 0 : 1, Element::integer);
  const auto parts = e.builder.library(LibraryFn::inverse, {a, warning},
                                       {Type::matrix(t.element, t.rows, t.cols), Type::scalar(t.element)});
  return with_rcond(call, parts[0], parts[1]);
}

std::vector<Binding> pseudo_inverse(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const ValueId original = call.dense(0), a = floating_matrix(call, 0);
  const Type t = call.type(a);
  const ValueId tolerance = call.count() > 1 ? call.scalar(1) : b.constant(0, Element::integer);
  if (t.rows.is(0) || t.cols.is(0)) return one(e.nothing());
  const auto diagonal = diagonal_of(e, original);
  if (!diagonal)
    return one(b.library(LibraryFn::pseudo_inverse, {a, tolerance}, {Type::matrix(t.element, t.cols, t.rows)})[0]);
  const ValueId d = b.convert(*diagonal, t.element);
  const ValueId small = b.map(ScalarOp::le, b.map(ScalarOp::abs, d), b.convert(tolerance, t.element));
  const ValueId inverted =
      b.map(ScalarOp::select, small, b.constant(0, t.element), b.map(ScalarOp::div, b.constant(1, t.element), d));
  return one(diagonal_matrix(e, inverted, t.cols, t.rows));
}

std::vector<Binding> mldivide(Call& call) {
  return one(binary(call.emit, ast::BinaryOp::left_divide, call.matrix(0), call.matrix(1), call.span));
}

std::vector<Binding> mrdivide(Call& call) {
  return one(binary(call.emit, ast::BinaryOp::divide, call.matrix(0), call.matrix(1), call.span));
}

std::vector<Binding> mpower(Call& call) {
  return one(binary(call.emit, ast::BinaryOp::power, call.matrix(0), call.matrix(1), call.span));
}

}  // namespace

std::span<const Builtin> solve_builtins() {
  static constexpr Builtin entries[] = {
      {"det", 1, 1, 2, det},           {"inv", 1, 1, 2, inverse},
      {"inverse", 1, 1, 2, inverse},   {"pinv", 1, 2, 1, pseudo_inverse},
      {"mldivide", 2, 2, 1, mldivide}, {"mrdivide", 2, 2, 1, mrdivide},
      {"mpower", 2, 2, 1, mpower},
  };
  return entries;
}

}  // namespace lac::frontend
