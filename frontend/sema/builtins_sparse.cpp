// What makes sparse matrices, and what functions of other chapters do when an argument is sparse.
#include <algorithm>
#include <cmath>

#include "frontend/sema/builtins.h"
#include "frontend/sema/builtins_fill.h"

namespace lac::frontend {
namespace {

Element precision(const Call& call) { return call.lower.graph.precision; }
bool is_one(const Type& t) { return t.rows.is(1) && t.cols.is(1); }

ValueId number(Call& call, double value) { return call.lower.builder.constant(value, Element::integer); }

ValueId step(Call& call, LibraryFn fn, const std::vector<ValueId>& operands, const Type& result) {
  return call.lower.builder.library(fn, operands, {result})[0];
}

// -- construction -----------------------------------------------------------------------------------------------------

// sparse(i, j, v), (..., m, n), (..., m, n, "unique" | "sum" | "summation" | nzmax)
std::vector<Binding> from_triplets(Call& call) {
  Lowerer& l = call.lower;
  Builder& b = l.builder;
  ValueId parts[3] = {call.dense(0), call.dense(1), call.dense(2)};
  const std::size_t last = call.count() - 1;
  const bool unique = call.is_text(last) && call.text(last) == "unique";
  if (call.is_text(last) && !unique && call.text(last) != "sum" && call.text(last) != "summation")
    call.fail("invalid option: " + call.text(last));
  const auto largest = [&](ValueId positions) {
    const Type t = call.type(positions);
    if (t.is_scalar()) return l.to_size(positions, call.span, true);
    if (t.rows.is(0) || t.cols.is(0)) return Size(0);
    return l.to_size(b.reduce(positions, {ReduceOp::max, Axis::all}), call.span, true);
  };
  const bool given = call.count() > 4;
  const Size rows = given ? call.size(3) : largest(parts[0]), cols = given ? call.size(4) : largest(parts[1]);
  Size count = 1;
  for (ValueId part : parts)
    if (!call.type(part).is_scalar()) count = call.type(part).count();
  for (ValueId& part : parts) {
    const Type t = call.type(part);
    if (t.is_scalar()) part = b.fill(part, count, 1);
    else l.require_equal(t.count(), count, call.span, "sparse: dimension mismatch", {}, "sparse: dimension mismatch");
    part = b.reshape(part, count, 1);
  }
  const bool logical = call.type(parts[2]).element == Element::logical;
  const Type result = csr_type(logical ? Element::logical : precision(call), rows, cols);
  for (int i = 0; i < 2; ++i) {
    if (given) l.check_positions(parts[i], i == 0 ? rows : cols, "sparse", static_cast<std::size_t>(i), 2, result);
    parts[i] = b.convert(parts[i], Element::integer);
  }
  parts[2] = b.convert(parts[2], result.element);
  if (!unique) return one(step(call, LibraryFn::sparse_triplets, {parts[0], parts[1], parts[2]}, result));
  const ValueId before = b.map(ScalarOp::mul, b.map(ScalarOp::sub, parts[1], number(call, 1)), b.size(rows));
  const ValueId zeros = step(call, LibraryFn::sparse_zeros, {}, result);
  return one(step(call, LibraryFn::sparse_update, {zeros, b.map(ScalarOp::add, before, parts[0]), parts[2]}, result));
}

std::vector<Binding> sparse(Call& call) {
  if (call.count() == 1) return one(call.lower.to_csr(call.matrix(0)));
  if (call.count() == 2)
    return one(step(call, LibraryFn::sparse_zeros, {}, csr_type(precision(call), call.size(0), call.size(1))));
  return from_triplets(call);
}

std::vector<Binding> spalloc(Call& call) {
  const Size rows = call.size(0), cols = call.count() > 1 ? call.size(1) : rows;
  return one(step(call, LibraryFn::sparse_zeros, {}, csr_type(precision(call), rows, cols)));
}

// Columns of B sorted by their diagonals, when those are written out and their order does not depend on the sizes.
std::optional<ValueId> on_known_diagonals(Call& call, ValueId columns, ValueId which, const Size& rows,
                                          const Size& cols) {
  Lowerer& l = call.lower;
  Builder& b = l.builder;
  std::vector<ValueId> wanted;
  if (call.type(which).is_scalar()) wanted = {which};
  else if (const auto known = l.facts.literals.find(which); known != l.facts.literals.end()) wanted = known->second;
  else if (const auto range = l.facts.ranges.find(which);
           range != l.facts.ranges.end() && range->second.count.is_constant())
    for (std::int64_t i = 0; i < range->second.count.constant(); ++i)
      wanted.push_back(b.size(range->second.first + range->second.step * i));
  if (wanted.empty() || wanted.size() > 512) return std::nullopt;
  std::vector<Size> offsets, sorted;
  for (ValueId value : wanted) offsets.push_back(l.to_size(value, call.span, false));
  for (const Size& offset : offsets)
    if (!l.insert_offset(sorted, offset)) return std::nullopt;
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
  Lowerer& l = call.lower;
  const Type t = call.type(columns);
  const Size diagonals = call.type(which).count();
  if (t.cols.is(0)) return step(call, LibraryFn::sparse_zeros, {}, csr_type(precision(call), rows, cols));
  l.require_equal(
      t.cols, diagonals, call.span,
      "spdiags: B has " + l.graph.text(t.cols) + " columns, but there are " + l.graph.text(diagonals) + " diagonals",
      {t.cols}, "spdiags: B has %d columns, not as many as there are diagonals");
  columns = l.builder.convert(columns, precision(call));
  if (const auto known = on_known_diagonals(call, columns, which, rows, cols)) return *known;
  return step(call, LibraryFn::sparse_from_diagonals, {columns, which}, csr_type(precision(call), rows, cols));
}

ValueId get_diagonals(Call& call, ValueId a, ValueId which) {
  const Type t = call.type(a);
  const Size length = t.rows == t.cols ? t.rows : t.rows - call.lower.max0(t.rows - t.cols);
  return step(call, LibraryFn::sparse_diagonals, {a, which}, Type::matrix(t.element, length, call.type(which).count()));
}

// spdiags(A), [B, d] = spdiags(A), spdiags(A, d), spdiags(v, d, A), spdiags(B, d, m, n); logical: the last of logical B
std::vector<Binding> spdiags(Call& call) {
  Lowerer& l = call.lower;
  Builder& b = l.builder;
  if (call.count() == 4) {
    const ValueId columns = call.dense(0);
    const ValueId result = put_diagonals(call, columns, call.dense(1), call.size(2), call.size(3));
    if (call.type(columns).element != Element::logical) return one(result);
    return one(l.elementwise(ScalarOp::ne, {l.to_csr(result), number(call, 0)}, call.span, "!="));
  }
  if (call.count() == 3) {
    const ValueId a = l.to_csr(call.matrix(2)), which = call.dense(1);
    const Type t = call.type(a);
    const ValueId old = l.to_csr(put_diagonals(call, get_diagonals(call, a, which), which, t.rows, t.cols));
    const ValueId added = l.to_csr(put_diagonals(call, call.dense(0), which, t.rows, t.cols));
    return one(l.sparse_sum(false, l.sparse_sum(true, a, old, call.span), added, call.span));
  }
  ValueId a = l.to_csr(call.matrix(0));
  if (call.type(a).element == Element::logical) a = l.builder.convert(a, Element::integer);
  if (call.count() == 2) return one(get_diagonals(call, a, call.dense(1)));
  const Type t = call.type(a);
  const auto found = b.library(LibraryFn::sparse_offsets, {a},
                               {Type::matrix(Element::integer, t.rows + t.cols, 1), Type::scalar(Element::integer)});
  const SymbolId symbol = symbol_of(l.graph, found[1]);
  l.graph.symbols[symbol].lower = 0;
  l.facts.upper[symbol] = t.rows + t.cols;
  const Size count = Size::symbol(symbol);
  const ValueId which = b.index(found[0], Subscripts{{{SubscriptKind::range, 0, 1, count}}}, {}, count, 1);
  return {Binding::matrix(get_diagonals(call, a, which)), Binding::matrix(which)};
}

std::vector<Binding> spones(Call& call) {
  Lowerer& l = call.lower;
  const ValueId a = l.to_csr(call.matrix(0));
  const ValueId some = l.elementwise(ScalarOp::ne, {a, number(call, 0)}, call.span, "!=");
  return one(l.builder.convert(some, precision(call)));
}

std::vector<Binding> nzmax(Call& call) {
  const ValueId a = call.matrix(0);
  if (call.type(a).is_dense()) return one(call.lower.builder.size(call.type(a).count()));
  return one(step(call, LibraryFn::sparse_nnz, {a}, Type::scalar(Element::integer)));
}

// -- reductions -------------------------------------------------------------------------------------------------------

Axis axis_of(Call& call, std::size_t argument) {
  if (call.count() > argument) return dimension_axis(call, argument);
  return call.type(call.matrix(0)).rows.is(1) ? Axis::cols : Axis::rows;
}

// What has an identity is one element of 0x0, whatever the axis.
ValueId reduce(Call& call, ReduceOp op, ValueId value, Axis axis) {
  Lowerer& l = call.lower;
  const Type t = call.type(value);
  const Element element = reduced_element(op, t.element);
  const bool extreme = op == ReduceOp::max || op == ReduceOp::min;
  if (!extreme && t.rows.is(0) && t.cols.is(0)) return l.to_csr(l.builder.constant(identity(op), element));
  Type result = csr_type(element, axis == Axis::rows ? Size(1) : t.rows, axis == Axis::rows ? t.cols : Size(1));
  const bool scalar = is_one(result);
  if (scalar) result = Type::scalar(element);
  const ValueId reduced =
      step(call, LibraryFn::sparse_reduce,
           {value, number(call, static_cast<double>(op)), number(call, axis == Axis::rows ? 1 : 2)}, result);
  return scalar ? l.to_csr(reduced) : reduced;
}

std::vector<Binding> plain(Call& call, ReduceOp op) { return one(reduce(call, op, call.matrix(0), axis_of(call, 1))); }
std::vector<Binding> sum(Call& call) { return plain(call, ReduceOp::sum); }
std::vector<Binding> prod(Call& call) { return plain(call, ReduceOp::prod); }
std::vector<Binding> any(Call& call) { return plain(call, ReduceOp::any); }
std::vector<Binding> all(Call& call) { return plain(call, ReduceOp::all); }

std::vector<Binding> sumsq(Call& call) {
  const ValueId a = call.matrix(0);
  const ValueId squares = call.lower.elementwise(ScalarOp::mul, {a, a}, call.span, "sumsq");
  return one(reduce(call, ReduceOp::sum, squares, axis_of(call, 1)));
}

std::vector<Binding> mean(Call& call) {
  const ValueId a = call.matrix(0);
  const Type t = call.type(a);
  const Axis axis = axis_of(call, 1);
  const ValueId count = call.lower.builder.size(axis == Axis::rows ? t.rows : t.cols);
  return one(call.lower.elementwise(ScalarOp::div, {reduce(call, ReduceOp::sum, a, axis), count}, call.span, "mean"));
}

// The same call with full arguments.
std::vector<Binding> with_full(Call& call) {
  std::vector<Binding> args = call.args;
  for (Binding& arg : args)
    if (arg.is_matrix()) arg.value = call.lower.dense(arg.value);
  return call.lower.call_bound(call.name, std::move(args), call.nargout, call.span, call.span);
}

// The same; the first result is sparse again.
std::vector<Binding> through_full(Call& call) {
  std::vector<Binding> results = with_full(call);
  if (!results.empty() && results[0].is_matrix()) results[0].value = call.lower.to_csr(results[0].value);
  return results;
}

std::vector<Binding> extreme(Call& call) {
  const bool is_max = call.name == "max";
  if (call.count() == 2)
    return one(call.lower.elementwise(is_max ? ScalarOp::max : ScalarOp::min, {call.matrix(0), call.matrix(1)},
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
    const auto p = call.lower.constant_of(call.matrix(1));
    if (p && *p == 1) kind = 1;
    if (p && std::isinf(*p) && *p > 0) kind = 2;
  }
  if (t.is_vector() || !kind) return with_full(call);
  const Element elements[1] = {t.element};
  return one(step(call, LibraryFn::sparse_norm, {a, number(call, *kind)},
                  Type::scalar(result_element(ScalarOp::sqrt, elements, precision(call)))));
}

// -- parts ------------------------------------------------------------------------------------------------------------

Size diagonal_extent(Call& call, const Size& rows, const Size& cols, std::int64_t k) {
  Lowerer& l = call.lower;
  const Size available_rows = k < 0 ? rows + k : rows, available_cols = k > 0 ? cols - k : cols;
  Size length = l.facts.less_equal(l.graph, available_rows, available_cols) ? available_rows : available_cols;
  if (!l.facts.less_equal(l.graph, length, available_rows) || !l.facts.less_equal(l.graph, length, available_cols))
    length = available_rows - l.max0(available_rows - available_cols);
  return l.max0(length);
}

// kron(ones(m, n), A), a matrix of numbers
std::vector<Binding> repmat(Call& call) {
  Lowerer& l = call.lower;
  const Shape times = repetitions(call);
  ValueId a = l.to_csr(call.matrix(0));
  if (call.type(a).element == Element::logical) a = l.builder.convert(a, Element::integer);
  const Type t = call.type(a);
  const ValueId ones = l.builder.fill(l.builder.constant(1, t.element), times.rows, times.cols);
  return one(
      step(call, LibraryFn::kron, {l.to_csr(ones), a}, csr_type(t.element, times.rows * t.rows, times.cols * t.cols)));
}

std::vector<Binding> diag(Call& call) {
  const ValueId a = call.matrix(0);
  const Type t = call.type(a);
  const std::int64_t k = call.count() > 1 ? call.constant_integer(1, "the diagonal") : 0;
  if (is_one(t) && k == 0) return one(a);
  if (t.is_vector()) {
    const Size extent = t.count() + std::abs(k);
    return one(step(call, LibraryFn::sparse_on_diagonal, {a, number(call, static_cast<double>(k))},
                    csr_type(t.element, extent, extent)));
  }
  const Size length = diagonal_extent(call, t.rows, t.cols, k);
  return one(step(call, LibraryFn::sparse_diagonal, {a, number(call, static_cast<double>(k))},
                  csr_type(t.element, length, 1)));
}

std::vector<Binding> trace(Call& call) {
  const ValueId a = call.matrix(0);
  const Type t = call.type(a);
  call.lower.require_equal(t.rows, t.cols, call.span, "trace: only valid on square matrix", {},
                           "trace: only valid on square matrix");
  if (is_one(t)) return one(a);
  const ValueId diagonal = step(call, LibraryFn::sparse_diagonal, {a}, csr_type(t.element, t.rows, 1));
  return one(reduce(call, ReduceOp::sum, diagonal, Axis::rows));
}

std::vector<Binding> triangle(Call& call) {
  Lowerer& l = call.lower;
  const ValueId a = call.matrix(0);
  const ValueId k =
      call.count() > 1 ? l.as_integer(call.scalar(1), call.name + ": K must be an integer, not %g") : number(call, 0);
  const bool lower = call.name == "tril";
  Type result = call.type(a);
  result.properties = {};
  return one(step(call, LibraryFn::sparse_band,
                  {a, lower ? number(call, -0x1p52) : k, lower ? k : number(call, 0x1p52)}, result));
}

std::vector<Binding> find(Call& call) {
  Lowerer& l = call.lower;
  Builder& b = l.builder;
  const ValueId a = call.matrix(0);
  const Type t = call.type(a);
  if (t.rows.is(0) && t.cols.is(0)) return with_full(call);
  const bool row = t.rows.is(1) && !t.cols.is(1);
  const Lowerer::SparseEntries found = l.sparse_entries(a);
  std::vector<ValueId> parts = {found.rows, found.cols, found.values};
  if (call.nargout < 2) {
    const ValueId before = b.map(ScalarOp::mul, b.map(ScalarOp::sub, found.cols, number(call, 1)), b.size(t.rows));
    parts = {b.map(ScalarOp::add, before, found.rows)};
  }
  Size count = found.count, first = 0;
  if (call.count() > 1) {
    const Size wanted = call.size(1), over = l.max0(found.count - wanted);
    count = found.count - over;
    if (call.is_text(2) && call.text(2) == "last") first = over;
  }
  std::vector<Binding> results;
  for (ValueId part : parts) {
    if (call.count() > 1) part = b.index(part, Subscripts{{{SubscriptKind::range, first, 1, count}}}, {}, count, 1);
    results.push_back(Binding::matrix(row ? b.reshape(part, 1, count) : part));
  }
  return results;
}

std::vector<Binding> nonzeros(Call& call) { return one(call.lower.sparse_entries(call.matrix(0)).values); }

ValueId descending(Call& call, const Size& count) {
  Builder& b = call.lower.builder;
  return b.map(ScalarOp::sub, b.size(count), b.iota(Axis::cols, 1, count));
}

std::vector<Binding> fliplr(Call& call) {
  const Type t = call.type(call.matrix(0));
  return one(call.lower.sparse_region(call.matrix(0), {{}, t.rows}, {descending(call, t.cols), t.cols}));
}
std::vector<Binding> flipud(Call& call) {
  const Type t = call.type(call.matrix(0));
  return one(call.lower.sparse_region(call.matrix(0), {descending(call, t.rows), t.rows}, {{}, t.cols}));
}

// -- questions --------------------------------------------------------------------------------------------------------

std::vector<Binding> isequal(Call& call) {
  Lowerer& l = call.lower;
  Builder& b = l.builder;
  ValueId result = b.constant(1, Element::logical);
  for (std::size_t i = 1; i < call.count(); ++i) {
    if (call.is_text(0) || call.is_text(i)) return one(b.constant(0, Element::logical));
    ValueId x = call.matrix(0), y = call.matrix(i);
    const Type tx = call.type(x), ty = call.type(y);
    const ValueId same_shape =
        b.map(ScalarOp::logical_and, l.equal_sizes(tx.rows, ty.rows), l.equal_sizes(tx.cols, ty.cols));
    const auto same_elements = [&] {
      ValueId differ = l.elementwise(ScalarOp::ne, {x, y}, call.span, "==");
      if (call.type(differ).is_dense()) differ = l.to_csr(differ);
      const ValueId count = step(call, LibraryFn::sparse_nnz, {differ}, Type::scalar(Element::integer));
      return b.map(ScalarOp::eq, count, number(call, 0));
    };
    const auto no = [&] { return b.constant(0, Element::logical); };
    result = b.map(ScalarOp::logical_and, result, l.branch_value(same_shape, same_elements, no));
  }
  return one(result);
}

std::vector<Binding> issymmetric(Call& call) {
  if (call.count() > 1) return with_full(call);
  return one(step(call, LibraryFn::sparse_symmetric, {call.matrix(0)}, Type::scalar(Element::logical)));
}

// Whether the bandwidths are at most so large; absent: any.
std::vector<Binding> within_band(Call& call, std::optional<ValueId> lower, std::optional<ValueId> upper) {
  Builder& b = call.lower.builder;
  const auto found = b.library(LibraryFn::sparse_bandwidth, {call.matrix(0)},
                               {Type::scalar(Element::integer), Type::scalar(Element::integer)});
  ValueId result = b.constant(1, Element::logical);
  if (lower) result = b.map(ScalarOp::le, found[0], *lower);
  if (upper) result = b.map(ScalarOp::logical_and, result, b.map(ScalarOp::le, found[1], *upper));
  return one(result);
}
std::vector<Binding> isdiag(Call& call) { return within_band(call, number(call, 0), number(call, 0)); }
std::vector<Binding> istril(Call& call) { return within_band(call, std::nullopt, number(call, 0)); }
std::vector<Binding> istriu(Call& call) { return within_band(call, number(call, 0), std::nullopt); }
std::vector<Binding> isbanded(Call& call) {
  const auto width = [&](std::size_t i) {
    return call.lower.as_integer(call.scalar(i), "isbanded: LOWER and UPPER must be non-negative integers, not %g");
  };
  return within_band(call, width(1), width(2));
}

// -- conversions ------------------------------------------------------------------------------------------------------

std::vector<Binding> to_double(Call& call) {
  const ValueId a = call.matrix(0);
  return one(call.lower.builder.convert(
      a, call.type(a).element == Element::logical ? Element::integer : call.type(a).element));
}
std::vector<Binding> to_logical(Call& call) {
  return one(call.lower.elementwise(ScalarOp::ne, {call.matrix(0), number(call, 0)}, call.span, "logical"));
}

// -- factorisations ---------------------------------------------------------------------------------------------------

ValueId square(Call& call) {
  Lowerer& l = call.lower;
  const ValueId a = call.matrix(0);
  const Type t = call.type(a);
  l.require_equal(t.rows, t.cols, call.span,
                  call.name + ": argument must be a square matrix, but is " + l.shape_text(a), {},
                  call.name + ": argument must be a square matrix");
  return l.builder.convert(a, is_floating(t.element) ? t.element : precision(call));
}

std::vector<Binding> inverse(Call& call) {
  const ValueId a = square(call);
  const Type t = call.type(a);
  return one(step(call, LibraryFn::sparse_inverse, {a}, csr_type(t.element, t.rows, t.cols)));
}

std::vector<Binding> det(Call& call) {
  const ValueId a = square(call);
  return one(step(call, LibraryFn::sparse_det, {a}, Type::scalar(call.type(a).element)));
}

std::vector<Binding> chol(Call& call) {
  Lowerer& l = call.lower;
  Builder& b = l.builder;
  const bool lower = call.is_text(1) && call.text(1) == "lower";
  if (call.count() > 1 && !lower && call.text(1) != "upper")
    call.fail("optional argument must be one of \"vector\", \"lower\", or \"upper\"");
  if (call.nargout > 2)
    call.fail("the fill-reducing permutation [R, p, Q] of a sparse matrix is not supported: ask for [R, p]");
  ValueId a = square(call);
  if (lower) a = l.transpose(a);
  const Type t = call.type(a);
  const auto parts =
      b.library(LibraryFn::sparse_cholesky, {a}, {csr_type(t.element, t.rows, t.cols), Type::scalar(Element::integer)});
  const ValueId complete = b.map(ScalarOp::eq, parts[1], b.size(t.rows));
  ValueId factor = parts[0];
  if (call.nargout > 1) {  // the rows that exist; all (zeros) where none do; the flag is 1 whichever row failed
    const ValueId none = b.map(ScalarOp::eq, parts[1], number(call, 0));
    const Size count = as_size(l.graph, b.map(ScalarOp::select, none, b.size(t.rows), parts[1]));
    if (const auto symbol = count.as_symbol()) {
      l.graph.symbols[*symbol].lower = 0;
      l.facts.upper[*symbol] = t.rows;
    }
    const ValueId leading = b.map(ScalarOp::add, b.iota(Axis::cols, 1, count), number(call, 1));
    factor = l.sparse_region(factor, {leading, count}, {{}, t.cols});
    if (lower) factor = l.transpose(factor);
    const ValueId failed = b.convert(b.map(ScalarOp::logical_not, complete), Element::integer);
    return {Binding::matrix(factor), Binding::matrix(failed)};
  }
  if (lower) factor = l.transpose(factor);
  l.require(complete, "chol: input matrix must be positive definite", {});
  return one(factor);
}

// The matrix of a permutation: P(i, p(i)) = 1, or P(q(j), j) = 1.
ValueId permutation(Call& call, ValueId order, const Size& n, bool of_rows) {
  Builder& b = call.lower.builder;
  const ValueId own = b.map(ScalarOp::add, b.iota(Axis::rows, n, 1), number(call, 1));
  const ValueId other = b.reshape(order, n, 1), ones = b.fill(b.constant(1, precision(call)), n, 1);
  return step(call, LibraryFn::sparse_triplets, {of_rows ? own : other, of_rows ? other : own, ones},
              csr_type(precision(call), n, n));
}

std::vector<Binding> lu(Call& call) {
  Lowerer& l = call.lower;
  const bool vector = call.is_text(1) && call.text(1) == "vector";
  if (call.count() > 1 && !vector) call.fail("unrecognized option: " + call.text(1));
  if (call.nargout < 2) call.fail("the packed form Y = lu(S) is not supported: ask for [L, U, P, Q]");
  const ValueId a = square(call);
  const Type t = call.type(a);
  const Type factor = csr_type(t.element, t.rows, t.cols), order = Type::matrix(Element::integer, 1, t.rows);
  const auto parts =
      l.builder.library(LibraryFn::sparse_lu, {a, number(call, call.nargout > 3)}, {factor, factor, order, order});
  const auto as_asked = [&](ValueId p, bool of_rows) { return vector ? p : permutation(call, p, t.rows, of_rows); };
  if (call.nargout == 2) {  // L with its rows where A has them
    const ValueId turned = l.transpose(permutation(call, parts[2], t.rows, true));
    return {Binding::matrix(l.sparse_product(turned, parts[0])), Binding::matrix(parts[1])};
  }
  std::vector<Binding> results = {Binding::matrix(parts[0]), Binding::matrix(parts[1]),
                                  Binding::matrix(as_asked(parts[2], true))};
  if (call.nargout > 3) results.push_back(Binding::matrix(as_asked(parts[3], false)));
  return results;
}

constexpr Builtin makers[] = {
    {"sparse", 1, 6, 1, sparse}, {"spalloc", 1, 3, 1, spalloc}, {"spdiags", 1, 4, 2, spdiags},
    {"spones", 1, 1, 1, spones}, {"nzmax", 1, 1, 1, nzmax},
};

constexpr Builtin overloads[] = {
    {"sum", 1, 2, 1, sum},
    {"prod", 1, 2, 1, prod},
    {"sumsq", 1, 2, 1, sumsq},
    {"any", 1, 2, 1, any},
    {"all", 1, 2, 1, all},
    {"max", 1, 3, 2, extreme},
    {"min", 1, 3, 2, extreme},
    {"mean", 1, 2, 1, mean},
    {"norm", 1, 2, 1, norm},
    {"diag", 1, 2, 1, diag},
    {"trace", 1, 1, 1, trace},
    {"repmat", 2, -1, 1, repmat},
    {"tril", 1, 2, 1, triangle},
    {"triu", 1, 2, 1, triangle},
    {"find", 1, 3, 3, find},
    {"nonzeros", 1, 1, 1, nonzeros},
    {"fliplr", 1, 1, 1, fliplr},
    {"flipud", 1, 1, 1, flipud},
    {"isequal", 2, -1, 1, isequal},
    {"issymmetric", 1, 2, 1, issymmetric},
    {"ishermitian", 1, 2, 1, issymmetric},
    {"isdiag", 1, 1, 1, isdiag},
    {"istril", 1, 1, 1, istril},
    {"istriu", 1, 1, 1, istriu},
    {"isbanded", 3, 3, 1, isbanded},
    {"double", 1, 1, 1, to_double},
    {"logical", 1, 1, 1, to_logical},
    {"inv", 1, 1, 1, inverse},
    {"inverse", 1, 1, 1, inverse},
    {"det", 1, 1, 1, det},
    {"chol", 1, 2, 3, chol},
    {"lu", 1, 2, 4, lu},
    // Octave's results are sparse, if hardly so.
    {"cumsum", 1, 2, 1, through_full},
    {"cumprod", 1, 2, 1, through_full},
    {"sort", 1, 3, 2, through_full},
    {"circshift", 2, 3, 1, through_full},
    {"rot90", 1, 2, 1, through_full},
    {"cross", 2, 3, 1, through_full},
    {"diff", 1, 3, 1, through_full},
    {"range", 1, 2, 1, through_full},
    {"trapz", 1, 3, 1, through_full},
};

}  // namespace

std::span<const Builtin> sparse_builtins() { return makers; }

const Builtin* find_sparse_overload(std::string_view name) {
  const auto found = std::ranges::find(overloads, name, &Builtin::name);
  return found == std::end(overloads) ? nullptr : found;
}

}  // namespace lac::frontend
