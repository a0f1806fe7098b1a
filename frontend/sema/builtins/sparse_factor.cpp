// Inverse, determinant and factorisations of sparse matrices.
#include "frontend/sema/builtins/sparse.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/messages.h"
#include "frontend/sema/values/operators.h"
#include "frontend/sema/values/sparse.h"

namespace lac::frontend {
namespace {

ValueId square(Call& call) {
  Emitter& e = call.emit;
  const ValueId a = call.matrix(0);
  const Type t = call.type(a);
  require_equal(e, t.rows, t.cols, call.span,
                call.name + ": argument must be a square matrix, but is " + shape_text(e, a), {},
                call.name + ": argument must be a square matrix");
  return e.builder.convert(a, e.floating(t.element));
}

std::vector<Binding> inverse(Call& call) {
  const ValueId a = square(call);
  const Type t = call.type(a);
  const ValueId inverted = step(call, LibraryFn::sparse_inverse, {a}, csr_type(t.element, t.rows, t.cols));
  if (call.nargout < 2) return one(inverted);
  const auto size_of = [&](ValueId value) {  // the largest column sum
    return call.walk.call_by_name("norm", {Binding::matrix(value), Binding::matrix(integer(call, 1))}, 1, call.span)
        .front()
        .value;
  };
  Builder& b = call.emit.builder;
  const ValueId condition = b.map(ScalarOp::mul, size_of(a), size_of(inverted));
  return {Binding::matrix(inverted), Binding::matrix(b.map(ScalarOp::div, b.constant(1, t.element), condition))};
}

std::vector<Binding> det(Call& call) {
  const ValueId a = square(call);
  return one(step(call, LibraryFn::sparse_det, {a}, Type::scalar(call.type(a).element)));
}

// The matrix of a permutation: P(i, p(i)) = 1, or P(q(j), j) = 1.
ValueId permutation(Call& call, ValueId order, const Size& n, bool of_rows) {
  Builder& b = call.emit.builder;
  const ValueId own = b.map(ScalarOp::add, b.iota(Axis::rows, n, 1), integer(call, 1));
  const ValueId other = b.reshape(order, n, 1), ones = b.fill(b.constant(1, precision(call)), n, 1);
  return step(call, LibraryFn::sparse_triplets, {of_rows ? own : other, of_rows ? other : own, ones},
              csr_type(precision(call), n, n));
}

/// The leading rows of a factor, which are all that exist of it; all (zeros) where none do.
ValueId leading_part(Call& call, ValueId factor, ValueId rows) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const Type t = call.type(factor);
  const ValueId none = b.map(ScalarOp::eq, rows, integer(call, 0));
  const Size count = as_size(e.graph, b.map(ScalarOp::select, none, b.size(t.rows), rows));
  if (const auto symbol = count.as_symbol()) {
    e.graph.symbols[*symbol].lower = 0;
    e.facts.at_most(*symbol, t.rows);
  }
  const ValueId leading = b.map(ScalarOp::add, b.iota(Axis::cols, 1, count), integer(call, 1));
  return sparse_region(e, factor, {leading, count}, {{}, t.cols});
}

// R, [R, flag], [R, flag, Q]: R'*R = Q'*A*Q.
std::vector<Binding> chol(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  bool lower = false, vector = false;
  for (std::size_t i = 1; i < call.count(); ++i) {
    const std::string& option = call.text(i);
    if (option != "lower" && option != "upper" && option != "vector")
      call.fail("optional argument must be one of \"vector\", \"lower\", or \"upper\"");
    lower = option == "lower" || (lower && option != "upper");
    vector = vector || option == "vector";
  }
  ValueId a = square(call);
  if (lower) a = transpose(e, a);
  const Type t = call.type(a), order = Type::matrix(Element::integer, 1, t.rows);
  const auto parts = b.library(LibraryFn::sparse_cholesky, {a, integer(call, call.nargout > 2)},
                               {csr_type(t.element, t.rows, t.cols), Type::scalar(Element::integer), order});
  const ValueId complete = b.map(ScalarOp::eq, parts[1], b.size(t.rows));
  ValueId factor = parts[0];
  if (call.nargout < 2) e.require(complete, "chol: input matrix must be positive definite", {});
  else factor = leading_part(call, factor, parts[1]);
  if (lower) factor = transpose(e, factor);
  // The flag is 1 whichever row failed.
  std::vector<Binding> results = {Binding::matrix(factor),
                                  Binding::matrix(b.convert(b.map(ScalarOp::logical_not, complete), Element::integer))};
  if (call.nargout > 2)
    results.push_back(Binding::matrix(vector ? parts[2] : permutation(call, parts[2], t.rows, false)));
  return results;
}

std::vector<Binding> lu(Call& call) {
  Emitter& e = call.emit;
  const bool vector = call.is_text(1) && call.text(1) == "vector";
  if (call.count() > 1 && !vector) call.fail("unrecognized option: " + call.text(1));
  if (call.nargout < 2) call.fail("the packed form Y = lu(S) is not supported: ask for [L, U, P, Q]");
  const ValueId a = square(call);
  const Type t = call.type(a);
  const Type factor = csr_type(t.element, t.rows, t.cols), order = Type::matrix(Element::integer, 1, t.rows);
  const auto parts =
      e.builder.library(LibraryFn::sparse_lu, {a, integer(call, call.nargout > 3)}, {factor, factor, order, order});
  const auto as_asked = [&](ValueId p, bool of_rows) { return vector ? p : permutation(call, p, t.rows, of_rows); };
  if (call.nargout == 2) {  // L with its rows where A has them
    const ValueId turned = transpose(e, permutation(call, parts[2], t.rows, true));
    return {Binding::matrix(sparse_product(e, turned, parts[0])), Binding::matrix(parts[1])};
  }
  std::vector<Binding> results = {Binding::matrix(parts[0]), Binding::matrix(parts[1]),
                                  Binding::matrix(as_asked(parts[2], true))};
  if (call.nargout > 3) results.push_back(Binding::matrix(as_asked(parts[3], false)));
  return results;
}

constexpr Builtin factorisations[] = {
    {"inv", 1, 1, 2, inverse}, {"inverse", 1, 1, 2, inverse}, {"det", 1, 1, 1, det},
    {"chol", 1, 3, 3, chol},   {"lu", 1, 2, 4, lu},
};

}  // namespace

std::span<const Builtin> sparse_factorisations() { return factorisations; }

}  // namespace lac::frontend
