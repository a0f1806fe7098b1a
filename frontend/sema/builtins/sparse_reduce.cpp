// Sums, extremes, means and norms of sparse matrices.
#include <cmath>

#include "frontend/sema/builtins/sparse.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/sparse.h"

namespace lac::frontend {
namespace {

Axis axis_of(Call& call, std::size_t argument) {
  if (call.count() > argument) return dimension_axis(call, argument);
  return call.type(call.matrix(0)).rows.is(1) ? Axis::cols : Axis::rows;
}

// What has an identity is one element of 0x0, whatever the axis.
ValueId reduce(Call& call, ReduceOp op, ValueId value, Axis axis) {
  Emitter& e = call.emit;
  const Type t = call.type(value);
  const Element element = reduced_element(op, t.element);
  const bool extreme = op == ReduceOp::max || op == ReduceOp::min;
  if (!extreme && t.rows.is(0) && t.cols.is(0)) return to_csr(e, e.builder.constant(identity(op), element));
  Type result = csr_type(element, axis == Axis::rows ? Size(1) : t.rows, axis == Axis::rows ? t.cols : Size(1));
  const bool scalar = is_one(result);
  if (scalar) result = Type::scalar(element);
  const ValueId reduced =
      step(call, LibraryFn::sparse_reduce,
           {value, integer(call, static_cast<double>(op)), integer(call, axis == Axis::rows ? 1 : 2)}, result);
  return scalar ? to_csr(e, reduced) : reduced;
}

std::vector<Binding> plain(Call& call, ReduceOp op) { return one(reduce(call, op, call.matrix(0), axis_of(call, 1))); }
std::vector<Binding> sum(Call& call) { return plain(call, ReduceOp::sum); }
std::vector<Binding> prod(Call& call) { return plain(call, ReduceOp::prod); }
std::vector<Binding> any(Call& call) { return plain(call, ReduceOp::any); }
std::vector<Binding> all(Call& call) { return plain(call, ReduceOp::all); }

std::vector<Binding> sumsq(Call& call) {
  const ValueId a = call.matrix(0);
  const ValueId squares = elementwise(call.emit, ScalarOp::mul, {a, a}, call.span, "sumsq");
  return one(reduce(call, ReduceOp::sum, squares, axis_of(call, 1)));
}

std::vector<Binding> mean(Call& call) {
  const ValueId a = call.matrix(0);
  const Type t = call.type(a);
  const Axis axis = axis_of(call, 1);
  const ValueId count = call.emit.builder.size(axis == Axis::rows ? t.rows : t.cols);
  return one(elementwise(call.emit, ScalarOp::div, {reduce(call, ReduceOp::sum, a, axis), count}, call.span, "mean"));
}

std::vector<Binding> extreme(Call& call) {
  const bool is_max = call.name == "max";
  if (call.count() == 2)
    return one(elementwise(call.emit, is_max ? ScalarOp::max : ScalarOp::min, {call.matrix(0), call.matrix(1)},
                           call.span, call.name));
  const ValueId a = call.matrix(0);
  const Axis axis = axis_of(call, 2);
  const Size& extent = axis == Axis::rows ? call.type(a).rows : call.type(a).cols;
  if (call.nargout > 1 || extent.is(0)) return through_full(call);
  return one(reduce(call, is_max ? ReduceOp::max : ReduceOp::min, a, axis));
}

std::vector<Binding> norm(Call& call) {
  const ValueId a = call.matrix(0);
  const Type t = call.type(a);
  std::optional<double> kind;  // of the step: 1, Inf, 0 for Frobenius
  if (call.is_text(1)) {
    if (call.text(1) == "fro") kind = 0;
    if (call.text(1) == "inf" || call.text(1) == "Inf") kind = 2;
  } else if (call.count() > 1) {
    const auto p = call.emit.constant_of(call.matrix(1));
    if (p && *p == 1) kind = 1;
    if (p && std::isinf(*p) && *p > 0) kind = 2;
  }
  if (t.is_vector() || !kind) return with_full(call);
  const Element elements[1] = {t.element};
  return one(step(call, LibraryFn::sparse_norm, {a, integer(call, *kind)},
                  Type::scalar(result_element(ScalarOp::sqrt, elements, precision(call)))));
}

std::vector<Binding> trace(Call& call) {
  const ValueId a = call.matrix(0);
  const Type t = call.type(a);
  require_equal(call.emit, t.rows, t.cols, call.span, "trace: only valid on square matrix", {},
                "trace: only valid on square matrix");
  if (is_one(t)) return one(a);
  const ValueId diagonal = step(call, LibraryFn::sparse_diagonal, {a}, csr_type(t.element, t.rows, 1));
  return one(reduce(call, ReduceOp::sum, diagonal, Axis::rows));
}

constexpr Builtin reductions[] = {
    {"sum", 1, 2, 1, sum},
    {"prod", 1, 2, 1, prod},
    {"sumsq", 1, 2, 1, sumsq},
    {"any", 1, 2, 1, any},
    {"all", 1, 2, 1, all},
    {"max", 1, 3, 2, extreme},
    {"min", 1, 3, 2, extreme},
    {"mean", 1, 2, 1, mean},
    {"norm", 1, 2, 1, norm},
    {"trace", 1, 1, 1, trace},
    {"cumsum", 1, 2, 1, through_full},
    {"cumprod", 1, 2, 1, through_full},
    {"diff", 1, 3, 1, through_full},
    {"range", 1, 2, 1, through_full},
    {"trapz", 1, 3, 1, through_full},
};

}  // namespace

std::span<const Builtin> sparse_reductions() { return reductions; }

}  // namespace lac::frontend
