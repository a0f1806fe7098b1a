// Parts of sparse matrices, and the same entries at other places or in another class.
#include "frontend/sema/builtins/fill.h"
#include "frontend/sema/builtins/sparse.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/sparse.h"

namespace lac::frontend {
namespace {

Size diagonal_extent(Call& call, const Size& rows, const Size& cols, std::int64_t k) {
  Emitter& e = call.emit;
  const Size available_rows = k < 0 ? rows + k : rows, available_cols = k > 0 ? cols - k : cols;
  Size length = e.facts.less_equal(e.graph, available_rows, available_cols) ? available_rows : available_cols;
  if (!e.facts.less_equal(e.graph, length, available_rows) || !e.facts.less_equal(e.graph, length, available_cols))
    length = available_rows - e.max0(available_rows - available_cols);
  return e.max0(length);
}

// kron(ones(m, n), A), a matrix of numbers
std::vector<Binding> repmat(Call& call) {
  Emitter& e = call.emit;
  const Shape times = repetitions(call);
  ValueId a = to_csr(e, call.matrix(0));
  if (call.type(a).element == Element::logical) a = e.builder.convert(a, Element::integer);
  const Type t = call.type(a);
  const ValueId ones = e.builder.fill(e.builder.constant(1, t.element), times.rows, times.cols);
  return one(
      step(call, LibraryFn::kron, {to_csr(e, ones), a}, csr_type(t.element, times.rows * t.rows, times.cols * t.cols)));
}

std::vector<Binding> diag(Call& call) {
  const ValueId a = call.matrix(0);
  const Type t = call.type(a);
  const std::int64_t k = call.count() > 1 ? call.constant_integer(1, "the diagonal") : 0;
  if (is_one(t) && k == 0) return one(a);
  if (t.is_vector()) {
    const Size extent = t.count() + std::abs(k);
    return one(step(call, LibraryFn::sparse_on_diagonal, {a, integer(call, static_cast<double>(k))},
                    csr_type(t.element, extent, extent)));
  }
  const Size length = diagonal_extent(call, t.rows, t.cols, k);
  return one(step(call, LibraryFn::sparse_diagonal, {a, integer(call, static_cast<double>(k))},
                  csr_type(t.element, length, 1)));
}

std::vector<Binding> triangle(Call& call) {
  Emitter& e = call.emit;
  const ValueId a = call.matrix(0);
  const ValueId k =
      call.count() > 1 ? as_integer(e, call.scalar(1), call.name + ": K must be an integer, not %g") : integer(call, 0);
  const bool lower = call.name == "tril";
  Type result = call.type(a);
  result.properties = {};
  return one(step(call, LibraryFn::sparse_band,
                  {a, lower ? integer(call, -0x1p52) : k, lower ? k : integer(call, 0x1p52)}, result));
}

std::vector<Binding> find(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const ValueId a = call.matrix(0);
  const Type t = call.type(a);
  if (t.rows.is(0) && t.cols.is(0)) return with_full(call);
  const bool row = t.rows.is(1) && !t.cols.is(1);
  const SparseEntries found = sparse_entries(e, a);
  std::vector<ValueId> parts = {found.rows, found.cols, found.values};
  if (call.nargout < 2) {
    const ValueId before = b.map(ScalarOp::mul, b.map(ScalarOp::sub, found.cols, integer(call, 1)), b.size(t.rows));
    parts = {b.map(ScalarOp::add, before, found.rows)};
  }
  Size count = found.count, first = 0;
  if (call.count() > 1) {
    const Size wanted = call.size(1), over = e.max0(found.count - wanted);
    count = found.count - over;
    if (call.is_text(2) && call.text(2) == "last") first = over;
  }
  std::vector<Binding> results;
  for (ValueId part : parts) {
    if (call.count() > 1) part = b.index(part, Subscripts{{{SubscriptKind::range, first, 1, count}}}, {}, count, 1);
    results.push_back(Binding::matrix(row ? b.reshape(part, 1, count) : part));
  }
  if (call.nargout > 3)
    for (const Size& extent : {t.rows, t.cols}) results.push_back(Binding::matrix(b.size(extent)));
  return results;
}

std::vector<Binding> nonzeros(Call& call) { return one(sparse_entries(call.emit, call.matrix(0)).values); }

ValueId descending(Call& call, const Size& count) {
  Builder& b = call.emit.builder;
  return b.map(ScalarOp::sub, b.size(count), b.iota(Axis::cols, 1, count));
}

std::vector<Binding> fliplr(Call& call) {
  const Type t = call.type(call.matrix(0));
  return one(sparse_region(call.emit, call.matrix(0), {{}, t.rows}, {descending(call, t.cols), t.cols}));
}
std::vector<Binding> flipud(Call& call) {
  const Type t = call.type(call.matrix(0));
  return one(sparse_region(call.emit, call.matrix(0), {descending(call, t.rows), t.rows}, {{}, t.cols}));
}

std::vector<Binding> to_double(Call& call) {
  const ValueId a = call.matrix(0);
  return one(
      call.emit.builder.convert(a, call.type(a).element == Element::logical ? Element::integer : call.type(a).element));
}
std::vector<Binding> to_logical(Call& call) {
  return one(elementwise(call.emit, ScalarOp::ne, {call.matrix(0), integer(call, 0)}, call.span, "logical"));
}

constexpr Builtin parts[] = {
    {"diag", 1, 2, 1, diag},          {"repmat", 2, -1, 1, repmat},     {"tril", 1, 2, 1, triangle},
    {"triu", 1, 2, 1, triangle},      {"find", 1, 3, 5, find},          {"nonzeros", 1, 1, 1, nonzeros},
    {"fliplr", 1, 1, 1, fliplr},      {"flipud", 1, 1, 1, flipud},      {"double", 1, 1, 1, to_double},
    {"logical", 1, 1, 1, to_logical}, {"sort", 1, 3, 2, through_full},  {"circshift", 2, 3, 1, through_full},
    {"rot90", 1, 2, 1, through_full}, {"cross", 2, 3, 1, through_full},
};

}  // namespace

std::span<const Builtin> sparse_parts() { return parts; }

}  // namespace lac::frontend
