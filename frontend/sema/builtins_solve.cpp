// Factorisations and solves: library steps.
#include "frontend/sema/builtins.h"

namespace lac::frontend {
namespace {

// A dense square matrix in floating elements.
ValueId square(Call& call, std::size_t i) {
  Lowerer& l = call.lower;
  const ValueId value = call.dense(i);
  const Type t = call.type(value);
  l.require_equal(t.rows, t.cols, call.span,
                  call.name + ": argument must be a square matrix, but is " + l.shape_text(value), {},
                  call.name + ": argument must be a square matrix");
  return l.builder.convert(value, is_floating(t.element) ? t.element : l.graph.precision);
}

std::vector<Binding> lu(Call& call) {
  Lowerer& l = call.lower;
  Builder& b = l.builder;
  const bool vector = call.count() > 1 && call.text(1) == "vector";
  if (call.count() > 1 && !vector) call.fail("unrecognized option: " + call.text(1));
  ValueId a = call.dense(0);
  if (!is_floating(call.type(a).element)) a = b.convert(a, l.graph.precision);
  const Type t = call.type(a);
  if (call.nargout < 2) call.fail("the packed form Y = lu(A) is not supported: ask for [L, U, P]");
  const Size inner = t.rows == t.cols ? t.rows : t.rows - l.max0(t.rows - t.cols);
  const auto parts = b.library(LibraryFn::lu, {a},
                               {Type::matrix(t.element, t.rows, inner), Type::matrix(t.element, inner, t.cols),
                                Type::matrix(Element::integer, 1, t.rows)});
  if (call.nargout == 3 && vector)
    return {Binding::matrix(parts[0]), Binding::matrix(parts[1]), Binding::matrix(parts[2])};
  const ValueId p = parts[2];
  // P(i, p(i)) = 1
  const ValueId on = b.map(ScalarOp::eq, b.iota(Axis::cols, t.rows, t.rows),
                           b.map(ScalarOp::sub, b.reshape(p, t.rows, 1), b.constant(1, Element::integer)));
  const ValueId permutation = b.convert(on, t.element);
  if (call.nargout == 3) return {Binding::matrix(parts[0]), Binding::matrix(parts[1]), Binding::matrix(permutation)};
  return {Binding::matrix(b.matmul(b.transpose(permutation), parts[0])), Binding::matrix(parts[1])};
}

std::vector<Binding> chol(Call& call) {
  Lowerer& l = call.lower;
  Builder& b = l.builder;
  if (call.count() > 1) call.fail("options are not supported yet");
  const ValueId a = square(call, 0);
  const Type t = call.type(a);
  Type upper = Type::matrix(t.element, t.rows, t.cols);
  const auto parts = b.library(LibraryFn::cholesky, {a}, {upper, Type::scalar(Element::integer)});
  if (call.nargout > 1) {  // what was factored: all of it, or the leading p - 1 rows and columns
    const ValueId none = b.map(ScalarOp::eq, parts[1], b.constant(0, Element::integer));
    const ValueId before = b.map(ScalarOp::sub, parts[1], b.constant(1, Element::integer));
    const Size order = as_size(l.graph, b.map(ScalarOp::select, none, b.size(t.rows), before));
    if (const auto symbol = order.as_symbol()) {
      l.graph.symbols[*symbol].lower = 0;
      l.facts.upper[*symbol] = t.rows;
    }
    const Subscript leading{SubscriptKind::range, 0, 1, order};
    return {Binding::matrix(b.index(parts[0], Subscripts{{leading, leading}}, {}, order, order)),
            Binding::matrix(parts[1])};
  }
  l.require(b.map(ScalarOp::eq, parts[1], b.constant(0, Element::integer)),
            "chol: input matrix must be positive definite", {});
  return one(parts[0]);
}

std::vector<Binding> det(Call& call) {
  const ValueId a = square(call, 0);
  return one(call.lower.builder.library(LibraryFn::det, {a}, {Type::scalar(call.type(a).element)})[0]);
}

std::vector<Binding> inverse(Call& call) {
  const ValueId a = square(call, 0);
  const Type t = call.type(a);
  return one(call.lower.builder.library(LibraryFn::inverse, {a}, {Type::matrix(t.element, t.rows, t.cols)})[0]);
}

std::vector<Binding> mldivide(Call& call) {
  return one(call.lower.left_divide(call.matrix(0), call.matrix(1), call.span));
}

constexpr Builtin entries[] = {
    {"lu", 1, 2, 3, lu},       {"chol", 1, 2, 2, chol},       {"det", 1, 1, 1, det},
    {"inv", 1, 1, 1, inverse}, {"inverse", 1, 1, 1, inverse}, {"mldivide", 2, 2, 1, mldivide},
};

}  // namespace

std::span<const Builtin> solve_builtins() { return entries; }

}  // namespace lac::frontend
