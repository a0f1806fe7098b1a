// What is asked of sparse matrices: equality, symmetry, bandwidths.
#include <optional>

#include "frontend/sema/builtins/sparse.h"
#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/sparse.h"

namespace lac::frontend {
namespace {

std::vector<Binding> isequal(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  ValueId result = b.constant(1, Element::logical);
  for (std::size_t i = 1; i < call.count(); ++i) {
    if (call.is_text(0) || call.is_text(i)) return one(b.constant(0, Element::logical));
    ValueId x = call.matrix(0), y = call.matrix(i);
    const Type tx = call.type(x), ty = call.type(y);
    const ValueId same_shape =
        b.map(ScalarOp::logical_and, e.equal_sizes(tx.rows, ty.rows), e.equal_sizes(tx.cols, ty.cols));
    const auto same_elements = [&] {
      ValueId differ = elementwise(e, ScalarOp::ne, {x, y}, call.span, "==");
      if (call.type(differ).is_dense()) differ = to_csr(e, differ);
      const ValueId count = step(call, LibraryFn::sparse_nnz, {differ}, Type::scalar(Element::integer));
      return b.map(ScalarOp::eq, count, integer(call, 0));
    };
    const auto no = [&] { return b.constant(0, Element::logical); };
    result = b.map(ScalarOp::logical_and, result, branch_value(e, same_shape, same_elements, no));
  }
  return one(result);
}

std::vector<Binding> issymmetric(Call& call) {
  if (call.count() > 1) return with_full(call);
  return one(step(call, LibraryFn::sparse_symmetric, {call.matrix(0)}, Type::scalar(Element::logical)));
}

// Whether the bandwidths are at most so large; absent: any.
std::vector<Binding> within_band(Call& call, std::optional<ValueId> lower, std::optional<ValueId> upper) {
  Builder& b = call.emit.builder;
  const auto found = b.library(LibraryFn::sparse_bandwidth, {call.matrix(0)},
                               {Type::scalar(Element::integer), Type::scalar(Element::integer)});
  ValueId result = b.constant(1, Element::logical);
  if (lower) result = b.map(ScalarOp::le, found[0], *lower);
  if (upper) result = b.map(ScalarOp::logical_and, result, b.map(ScalarOp::le, found[1], *upper));
  return one(result);
}
std::vector<Binding> isdiag(Call& call) { return within_band(call, integer(call, 0), integer(call, 0)); }
std::vector<Binding> istril(Call& call) { return within_band(call, std::nullopt, integer(call, 0)); }
std::vector<Binding> istriu(Call& call) { return within_band(call, integer(call, 0), std::nullopt); }
std::vector<Binding> isbanded(Call& call) {
  const auto width = [&](std::size_t i) {
    return as_integer(call.emit, call.scalar(i), "isbanded: LOWER and UPPER must be non-negative integers, not %g");
  };
  return within_band(call, width(1), width(2));
}

constexpr Builtin tests[] = {
    {"isequal", 2, -1, 1, isequal},  {"issymmetric", 1, 2, 1, issymmetric}, {"ishermitian", 1, 2, 1, issymmetric},
    {"isdiag", 1, 1, 1, isdiag},     {"istril", 1, 1, 1, istril},           {"istriu", 1, 1, 1, istriu},
    {"isbanded", 3, 3, 1, isbanded},
};

}  // namespace

std::span<const Builtin> sparse_tests() { return tests; }

}  // namespace lac::frontend
