// What makes sparse matrices, and where the functions of other chapters are that sparse arguments change.
#include "frontend/sema/builtins/sparse.h"

#include <algorithm>

#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/subscripts.h"

namespace lac::frontend {
namespace {

// sparse(i, j, v), (..., m, n), (..., m, n, "unique" | "sum" | "summation" | nzmax)
std::vector<Binding> from_triplets(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  ValueId parts[3] = {call.dense(0), call.dense(1), call.dense(2)};
  const std::size_t last = call.count() - 1;
  const bool unique = call.is_text(last) && call.text(last) == "unique";
  if (call.is_text(last) && !unique && call.text(last) != "sum" && call.text(last) != "summation")
    call.fail("invalid option: " + call.text(last));
  const auto largest = [&](ValueId positions) {
    const Type t = call.type(positions);
    if (t.is_scalar()) return to_size(e, positions, call.span, true);
    if (t.rows.is(0) || t.cols.is(0)) return Size(0);
    const ValueId most = b.reduce(positions, {ReduceOp::max, Axis::all});
    if (e.facts.nonnegative(e.graph, t.count() - 1)) return to_size(e, most, call.span, true);
    const ValueId none = e.equal_sizes(t.count(), 0);
    return to_size(e, b.map(ScalarOp::select, none, b.constant(0, call.type(most).element), most), call.span, true);
  };
  const bool given = call.count() > 4;
  const Size rows = given ? call.size(3) : largest(parts[0]), cols = given ? call.size(4) : largest(parts[1]);
  Size count = 1;
  for (ValueId part : parts)
    if (!call.type(part).is_scalar()) count = call.type(part).count();
  for (ValueId& part : parts) {
    const Type t = call.type(part);
    if (t.is_scalar()) part = b.fill(part, count, 1);
    else require_equal(e, t.count(), count, call.span, "sparse: dimension mismatch", {}, "sparse: dimension mismatch");
    part = b.reshape(part, count, 1);
  }
  const bool logical = call.type(parts[2]).element == Element::logical;
  const Type result = csr_type(logical ? Element::logical : precision(call), rows, cols);
  for (int i = 0; i < 2; ++i) {
    if (given) check_positions(e, parts[i], i == 0 ? rows : cols, "sparse", static_cast<std::size_t>(i), 2, result);
    parts[i] = b.convert(parts[i], Element::integer);
  }
  parts[2] = b.convert(parts[2], result.element);
  if (!unique) return one(step(call, LibraryFn::sparse_triplets, {parts[0], parts[1], parts[2]}, result));
  const ValueId before = b.map(ScalarOp::mul, b.map(ScalarOp::sub, parts[1], integer(call, 1)), b.size(rows));
  const ValueId zeros = step(call, LibraryFn::sparse_zeros, {}, result);
  return one(step(call, LibraryFn::sparse_update, {zeros, b.map(ScalarOp::add, before, parts[0]), parts[2]}, result));
}

bool is_written_as_read(const ast::Expr& argument) {
  const auto* call = std::get_if<ast::Index>(&ast::strip_parens(argument).node);
  const auto* callee = call != nullptr ? std::get_if<ast::Identifier>(&call->callee->node) : nullptr;
  return callee != nullptr && callee->name == "read";
}

// `sparse(read(...))` claims how the matrix comes in, also where the file is not looked at while compiling. Only as
// written so: nobody else has the value then, and nothing was made of it as a dense one.
void read_sparse(Call& call, ValueId value) {
  Graph& graph = call.emit.graph;
  const OpId op = graph.values[value].op;
  if (!call.written || !is_written_as_read(*call.written->front())) return;
  if (call.emit.constant_of(call.walk.has_value("read")) != 0.0 || !op.valid()) return;
  if (graph.ops[op].kind != OpKind::library) return;
  if (std::get<LibraryFn>(graph.ops[op].attribute) != LibraryFn::read_matrix) return;
  graph.values[value].type.storage = Storage::csr;
}

std::vector<Binding> sparse(Call& call) {
  if (call.count() == 1) {
    const ValueId value = call.matrix(0);
    read_sparse(call, value);
    return one(to_csr(call.emit, value));
  }
  if (call.count() == 2)
    return one(step(call, LibraryFn::sparse_zeros, {}, csr_type(precision(call), call.size(0), call.size(1))));
  return from_triplets(call);
}

std::vector<Binding> spalloc(Call& call) {
  for (std::size_t i = 0; i < call.count(); ++i)
    if (call.emit.constant_of(call.scalar(i)).value_or(0) < 0) call.fail("M, N, and NZ must be non-negative");
  return one(step(call, LibraryFn::sparse_zeros, {}, csr_type(precision(call), call.size(0), call.size(1))));
}

// Columns of B sorted by their diagonals, when those are written out and their order does not depend on the sizes.
std::optional<ValueId> on_known_diagonals(Call& call, ValueId columns, ValueId which, const Size& rows,
                                          const Size& cols) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  std::vector<ValueId> wanted;
  if (call.type(which).is_scalar()) wanted = {which};
  else if (auto written = written_elements(e, which)) wanted = std::move(*written);
  else if (const auto range = e.facts.ranges.find(which);
           range != e.facts.ranges.end() && range->second.count.is_constant())
    for (std::int64_t i = 0; i < range->second.count.constant(); ++i)
      wanted.push_back(b.size(range->second.first + range->second.step * i));
  if (wanted.empty() || wanted.size() > 512) return std::nullopt;
  std::vector<Size> offsets, sorted;
  for (ValueId value : wanted) offsets.push_back(to_size(e, value, call.span, false));
  for (const Size& offset : offsets)
    if (!insert_offset(e, sorted, offset)) return std::nullopt;
  if (sorted.size() != offsets.size()) return std::nullopt;
  const Type t = call.type(columns);
  if (sorted != offsets) {
    std::vector<ValueId> parts;
    for (const Size& offset : sorted) {
      const auto place = std::find(offsets.begin(), offsets.end(), offset) - offsets.begin();
      parts.push_back(
          b.index(columns, Subscripts{{{SubscriptKind::all, 0, 1, t.rows}, {SubscriptKind::range, Size(place), 1, 1}}},
                  {}, t.rows, 1));
    }
    columns = b.concat(parts, Axis::cols);
  }
  Type type = Type::matrix(precision(call), rows, cols);
  type.storage = Storage::diagonal;
  type.offsets = sorted;
  return step(call, LibraryFn::spdiags, {columns}, type);
}

// Column c of B becomes diagonal d(c).
ValueId put_diagonals(Call& call, ValueId columns, ValueId which, const Size& rows, const Size& cols) {
  Emitter& e = call.emit;
  const Type t = call.type(columns);
  const Size diagonals = call.type(which).count();
  if (t.cols.is(0)) return step(call, LibraryFn::sparse_zeros, {}, csr_type(precision(call), rows, cols));
  require_equal(
      e, t.cols, diagonals, call.span,
      "spdiags: B has " + e.graph.text(t.cols) + " columns, but there are " + e.graph.text(diagonals) + " diagonals",
      {t.cols}, "spdiags: B has %d columns, not as many as there are diagonals");
  columns = e.builder.convert(columns, precision(call));
  if (const auto known = on_known_diagonals(call, columns, which, rows, cols)) return *known;
  return step(call, LibraryFn::sparse_from_diagonals, {columns, which}, csr_type(precision(call), rows, cols));
}

ValueId get_diagonals(Call& call, ValueId a, ValueId which) {
  const Type t = call.type(a);
  const Size length = t.rows == t.cols ? t.rows : t.rows - call.emit.max0(t.rows - t.cols);
  return step(call, LibraryFn::sparse_diagonals, {a, which}, Type::matrix(t.element, length, call.type(which).count()));
}

// spdiags(A), [B, d] = spdiags(A), spdiags(A, d), spdiags(v, d, A), spdiags(B, d, m, n); logical: the last of logical B
std::vector<Binding> spdiags(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  if (call.count() == 4) {
    const ValueId columns = call.dense(0);
    const ValueId result = put_diagonals(call, columns, call.dense(1), call.size(2), call.size(3));
    if (call.type(columns).element != Element::logical) return one(result);
    return one(elementwise(e, ScalarOp::ne, {to_csr(e, result), integer(call, 0)}, call.span, "!="));
  }
  if (call.count() == 3) {
    const ValueId a = to_csr(e, call.matrix(2)), which = call.dense(1);
    const Type t = call.type(a);
    const ValueId old = to_csr(e, put_diagonals(call, get_diagonals(call, a, which), which, t.rows, t.cols));
    const ValueId added = to_csr(e, put_diagonals(call, call.dense(0), which, t.rows, t.cols));
    return one(sparse_sum(e, false, sparse_sum(e, true, a, old, call.span), added, call.span));
  }
  ValueId a = to_csr(e, call.matrix(0));
  if (call.type(a).element == Element::logical) a = e.builder.convert(a, Element::integer);
  if (call.count() == 2) return one(get_diagonals(call, a, call.dense(1)));
  const Type t = call.type(a);
  const auto found = b.library(LibraryFn::sparse_offsets, {a},
                               {Type::matrix(Element::integer, t.rows + t.cols, 1), Type::scalar(Element::integer)});
  const SymbolId symbol = symbol_of(e.graph, found[1]);
  e.graph.symbols[symbol].lower = 0;
  e.facts.at_most(symbol, t.rows + t.cols);
  const Size count = Size::symbol(symbol);
  const ValueId which = b.index(found[0], Subscripts{{{SubscriptKind::range, 0, 1, count}}}, {}, count, 1);
  return {Binding::matrix(get_diagonals(call, a, which)), Binding::matrix(which)};
}

std::vector<Binding> spones(Call& call) {
  Emitter& e = call.emit;
  const ValueId a = to_csr(e, call.matrix(0));
  const ValueId some = elementwise(e, ScalarOp::ne, {a, integer(call, 0)}, call.span, "!=");
  return one(e.builder.convert(some, precision(call)));
}

std::vector<Binding> nzmax(Call& call) {
  const ValueId a = call.matrix(0);
  if (call.type(a).is_dense()) return one(call.emit.builder.size(call.type(a).count()));
  const Op* made = call.emit.graph.definition(a);
  if (made && made->kind == OpKind::library && attribute<LibraryFn>(*made) == LibraryFn::sparse_zeros)
    call.fail("of a matrix without elements is outside the language: room is made as elements come");
  return one(step(call, LibraryFn::sparse_nnz, {a}, Type::scalar(Element::integer)));
}

constexpr Builtin makers[] = {
    {"sparse", 1, 6, 1, sparse}, {"spalloc", 2, 3, 1, spalloc}, {"spdiags", 1, 4, 2, spdiags},
    {"spones", 1, 1, 1, spones}, {"nzmax", 1, 1, 1, nzmax},
};

}  // namespace

std::span<const Builtin> sparse_builtins() { return makers; }

const Builtin* find_sparse_overload(std::string_view name) {
  for (const auto chapter : {sparse_reductions(), sparse_parts(), sparse_tests(), sparse_factorisations()})
    if (const auto found = std::ranges::find(chapter, name, &Builtin::name); found != chapter.end()) return &*found;
  return nullptr;
}

std::vector<Binding> with_full(Call& call) {
  std::vector<Binding> args = call.args;
  for (Binding& arg : args)
    if (arg.is_matrix()) arg.value = dense(call.emit, arg.value);
  return call.walk.call_by_name(call.name, std::move(args), call.nargout, call.span);
}

std::vector<Binding> through_full(Call& call) {
  std::vector<Binding> results = with_full(call);
  if (!results.empty() && results[0].is_matrix()) results[0].value = to_csr(call.emit, results[0].value);
  return results;
}

}  // namespace lac::frontend
