// linspace, diag, repmat, reshape, spdiags, kron, ...: matrices out of other values.
#include <algorithm>
#include <cmath>
#include <limits>

#include "frontend/sema/builtins/fill.h"
#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/messages.h"
#include "frontend/sema/values/ranges.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/structured.h"
#include "frontend/sema/values/subscripts.h"
#include "ir/types/extent.h"

namespace lac::frontend {
namespace {

Element precision(const Call& call) { return call.emit.graph.precision; }

// From both ends to the middle, as Octave: element k is BASE + k*d in the first half, LIMIT - (n-1-k)*d in the second
// and (BASE + LIMIT)/2 in the middle, with d = (LIMIT - BASE)/(n-1); an infinite d counts as NaN. A column gives a row
// each.
std::vector<Binding> linspace(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const auto apply = [&](ScalarOp op, const std::vector<ValueId>& operands) {
    return elementwise(e, op, operands, call.span, call.name);
  };
  const Element elements[2] = {call.type(call.dense(0)).element, call.type(call.dense(1)).element};
  const Element element = result_element(ScalarOp::div, elements, precision(call));
  ValueId ends[2];
  for (std::size_t i = 0; i < 2; ++i) {
    ends[i] = b.convert(call.dense(i), element);
    const Type t = call.type(ends[i]);
    if (e.facts.not_one(e.graph, t.rows) && e.facts.not_one(e.graph, t.cols))
      call.fail("START, END must be scalars or vectors");
    if (!t.is_scalar()) ends[i] = b.reshape(ends[i], t.count(), 1);
  }
  const auto [base, limit] = ends;
  Size n = 100;
  if (call.count() > 2) {
    if (!call.is_empty_literal(2) && !call.type(call.dense(2)).is_scalar()) call.fail("N must be a scalar");
    const ValueId wanted = call.is_empty_literal(2) ? b.constant(1, Element::integer) : call.scalar(2);
    const bool whole = call.type(wanted).element == Element::integer;
    const ValueId none = b.constant(0, call.type(wanted).element);  // NaN points are none
    n = to_size(
        e,
        whole ? wanted : b.map(ScalarOp::select, b.map(ScalarOp::is_nan, wanted), none, b.map(ScalarOp::fix, wanted)),
        call.span, true);
  }
  if (n.is(1)) return one(limit);
  const ValueId last = b.size(n - 1);
  const ValueId exact = apply(ScalarOp::div, {apply(ScalarOp::sub, {limit, base}), b.convert(last, element)});
  const ValueId nan = b.constant(std::numeric_limits<double>::quiet_NaN(), element);
  const ValueId step = apply(ScalarOp::select, {apply(ScalarOp::is_inf, {exact}), nan, exact});
  const ValueId k = b.iota(Axis::cols, 1, n), rest = b.map(ScalarOp::sub, last, k);
  const ValueId rising = apply(ScalarOp::add, {base, apply(ScalarOp::mul, {k, step})});
  const ValueId falling = apply(ScalarOp::sub, {limit, apply(ScalarOp::mul, {rest, step})});
  const ValueId mean = apply(ScalarOp::div, {apply(ScalarOp::add, {base, limit}), b.constant(2, element)});
  const ValueId opposite = apply(ScalarOp::eq, {base, apply(ScalarOp::neg, {limit})});
  const ValueId middle = apply(ScalarOp::select, {opposite, b.constant(0, element), mean});
  const ValueId none = b.constant(0, Element::integer);
  ValueId value = apply(ScalarOp::select, {b.map(ScalarOp::lt, k, rest), rising, falling});
  value = apply(ScalarOp::select, {b.map(ScalarOp::eq, k, rest), middle, value});
  value = apply(ScalarOp::select, {b.map(ScalarOp::eq, k, none), base, value});
  return one(apply(ScalarOp::select, {b.map(ScalarOp::eq, rest, none), limit, value}));
}

// A unit axis that is repeated is a view with step 0, any other one is gathered: position mod extent.
std::vector<Binding> repmat(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const Shape times = repetitions(call);
  const ValueId value = call.dense(0);
  const Type t = call.type(value);
  if (t.is_scalar()) return one(times.is_scalar() ? value : b.fill(value, times.rows, times.cols));
  std::vector<ValueId> positions;
  const auto along = [&](const Size& extent, const Size& count) -> Subscript {
    if (count.is(1)) return {SubscriptKind::all, 0, 1, extent};
    if (extent.is(1)) return {SubscriptKind::range, 0, 0, count};
    const Size total = extent * count;
    const ValueId place = b.map(ScalarOp::mod, b.iota(Axis::cols, 1, total), b.size(extent));
    positions.push_back(b.map(ScalarOp::add, place, b.constant(1, Element::integer)));
    return {SubscriptKind::vector, 0, 1, total};
  };
  const Subscript rows = along(t.rows, times.rows), cols = along(t.cols, times.cols);
  return one(b.index(value, Subscripts{{rows, cols}}, positions, rows.count, cols.count));
}

// Diagonal k of a matrix as a column, k an integer scalar that the run decides: every (rows + 1)-th element from
// k*rows or -k on.
ValueId diagonal_at(Call& call, ValueId value, ValueId k) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const Type t = call.type(value);
  const ValueId none = b.constant(0, Element::integer);
  const auto apply = [&](ScalarOp op, ValueId x, ValueId y) { return b.map(op, x, y); };
  const auto size = [&](ValueId x) { return to_size(e, x, call.span, true); };
  const ValueId above = apply(ScalarOp::max, k, none), below = apply(ScalarOp::max, b.map(ScalarOp::neg, k), none);
  const ValueId rows = apply(ScalarOp::sub, b.size(t.rows), below), cols = apply(ScalarOp::sub, b.size(t.cols), above);
  const Size count = size(apply(ScalarOp::min, rows, cols));
  const Size first = size(apply(ScalarOp::add, apply(ScalarOp::mul, above, b.size(t.rows)), below));
  return b.index(value, Subscripts{{{SubscriptKind::range, first, t.rows + 1, count}}}, {}, count, 1);
}

// A matrix with the vector on diagonal k: element (i, j) with j - i = k is v(min(i, j)).
ValueId matrix_with_diagonal(Call& call, ValueId value, ValueId k) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const Size n = call.type(value).count();
  const auto known = e.constant_of(k);
  if (known == 0.0) return diagonal_matrix(e, b.reshape(value, n, 1), n, n);
  const Size shift =
      known ? Size(size_of_number(std::abs(*known))) : to_size(e, b.map(ScalarOp::abs, k), call.span, true);
  const Size extent = n + shift;
  const auto spread = [&](ValueId column) { return b.resize(b.reshape(column, n, 1), extent, 1); };
  const ValueId offset = b.map(ScalarOp::sub, b.iota(Axis::cols, extent, extent), b.iota(Axis::rows, extent, extent));
  const ValueId on = b.map(ScalarOp::eq, offset, k), zero = b.constant(0, call.type(value).element);
  const auto above = [&] { return b.map(ScalarOp::select, on, spread(value), zero); };
  const auto below = [&] { return b.map(ScalarOp::select, on, b.transpose(spread(value)), zero); };
  if (known) return *known >= 0 ? above() : below();
  return branch_value(e, b.map(ScalarOp::ge, k, b.constant(0, Element::integer)), above, below);
}

// diag(v, k): a matrix with v on diagonal k; diag(M, k): that diagonal as a column; diag(v, m, n): an m x n matrix.
std::vector<Binding> diag(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const ValueId value = call.matrix(0);
  const Type t = call.type(value);
  const bool is_vector = t.rows.is(1) || t.cols.is(1);
  if (call.count() == 3) {
    if (!is_vector) call.fail("V must be a vector");
    for (std::size_t i = 1; i < 3; ++i)
      if (e.constant_of(call.dense(i)).value_or(0) < 0) call.fail("invalid dimensions");
    const Shape shape = shape_of(call, 1, 3);
    const Size length = e.minimum(shape.rows, shape.cols);
    ValueId column = b.reshape(dense(e, value), t.count(), 1);
    if (!e.facts.less_equal(e.graph, length, t.count())) column = b.resize(column, e.larger(t.count(), length), 1);
    column = b.index(column, Subscripts{{{SubscriptKind::range, 0, 1, length}}}, {}, length, 1);
    return one(diagonal_matrix(e, column, shape.rows, shape.cols));
  }
  ValueId k = b.constant(0, Element::integer);
  if (call.count() > 1) {
    k = call.scalar(1);
    k = is_floating(call.type(k).element) ? b.convert(b.map(ScalarOp::fix, k), Element::integer)
                                          : b.convert(k, Element::integer);
  }
  const auto known = e.constant_of(k);
  if (t.rows.is(0) && t.cols.is(0) && known == 0.0) return one(value);
  if (t.is_scalar() && known == 0.0) return one(value);
  const auto extracted = [&] {
    if (!known) return diagonal_at(call, value, k);
    const std::int64_t at = size_of_number(*known);
    const Size rows = at < 0 ? t.rows + at : t.rows, cols = at > 0 ? t.cols - at : t.cols;
    Size length = e.facts.less_equal(e.graph, rows, cols) ? rows : cols;
    if (!e.facts.less_equal(e.graph, length, rows) || !e.facts.less_equal(e.graph, length, cols))
      length = rows - e.max0(rows - cols);
    return b.diagonal(value, at, e.max0(length));
  };
  const auto made = [&] { return matrix_with_diagonal(call, value, k); };
  if (is_vector) return one(made());
  if (e.facts.not_one(e.graph, t.rows) && e.facts.not_one(e.graph, t.cols)) return one(extracted());
  const ValueId line = b.map(ScalarOp::logical_or, e.equal_sizes(t.rows, 1), e.equal_sizes(t.cols, 1));
  return one(branch_value(e, line, made, extracted));
}

std::vector<Binding> triangle(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const ValueId value = call.dense(0);
  const Type t = call.type(value);
  bool packed = false;
  if (call.count() > 1 && call.is_text(call.count() - 1)) {
    if (call.text(call.count() - 1) != "pack") call.fail("unrecognized option: " + call.text(call.count() - 1));
    packed = true;
    call.args.pop_back();
  }
  const ValueId k = call.count() > 1 ? as_integer(e, call.scalar(1), call.name + ": K must be an integer, not %g")
                                     : b.constant(0, Element::integer);
  const ValueId offset = b.map(ScalarOp::sub, b.iota(Axis::cols, t.rows, t.cols), b.iota(Axis::rows, t.rows, t.cols));
  const ValueId kept = b.map(call.name == "tril" ? ScalarOp::le : ScalarOp::ge, offset, k);
  if (packed) {
    const ValueId places = find_positions(e, kept);
    const Size count = call.type(places).count();
    return one(b.index(value, Subscripts{{{SubscriptKind::vector, 0, 1, count}}}, {places}, count, 1));
  }
  return one(b.map(ScalarOp::select, kept, value, b.constant(0, t.element)));
}

std::vector<Binding> meshgrid(Call& call) {
  Builder& b = call.emit.builder;
  const ValueId x = call.dense(0), y = call.dense(call.count() > 1 ? 1 : 0);
  const Facts& facts = call.emit.facts;
  for (ValueId value : {x, y})
    if (facts.not_one(call.emit.graph, call.type(value).rows) && facts.not_one(call.emit.graph, call.type(value).cols))
      call.fail("X and Y must be vectors");
  const Size n = call.type(x).count(), m = call.type(y).count();
  const Subscript all_cols{SubscriptKind::all, 0, 1, n}, all_rows{SubscriptKind::all, 0, 1, m};
  const ValueId xx = b.index(b.reshape(x, 1, n), Subscripts{{{SubscriptKind::range, 0, 0, m}, all_cols}}, {}, m, n);
  const ValueId yy = b.index(b.reshape(y, m, 1), Subscripts{{all_rows, {SubscriptKind::range, 0, 0, n}}}, {}, m, n);
  return {Binding::matrix(xx), Binding::matrix(yy)};
}

std::vector<Binding> reshape(Call& call) {
  Emitter& e = call.emit;
  const ValueId value = call.matrix(0);
  const Type t = call.type(value);
  for (std::size_t i = 1; i < call.count(); ++i) {
    const ValueId extent = call.dense(i);
    if (call.count() == 2 && call.type(extent).is_scalar()) call.fail("SIZE must have 2 or more dimensions");
    std::vector<ValueId> extents = {extent};
    if (auto written = written_elements(e, extent)) extents = std::move(*written);
    for (ValueId each : extents) require_no_negative_size(call, each);
  }
  Shape shape;
  if (call.count() == 3 && (call.is_empty_literal(1) || call.is_empty_literal(2))) {
    const bool rows_open = call.is_empty_literal(1);
    const Size known = call.size(rows_open ? 2 : 1);
    Builder& b = e.builder;
    Size other = 0;
    if (known.is(1)) other = t.count();
    else if (known == t.rows) other = t.cols;
    else if (known == t.cols) other = t.rows;
    else {
      const ValueId ratio =
          b.map(ScalarOp::div, b.convert(b.size(t.count()), Element::real), b.convert(b.size(known), Element::real));
      const std::string uneven = "SIZE is not divisible by the product of known dimensions (= ";
      const ValueId whole = b.map(ScalarOp::eq, ratio, b.map(ScalarOp::fix, ratio));
      if (e.constant_of(whole) == 0.0) call.fail(uneven + e.graph.text(known) + ")");
      e.require(whole, "reshape: " + uneven + "%d)", {b.size(known)});
      other = to_size(e, ratio, call.span, true);
    }
    shape = rows_open ? Shape{other, known} : Shape{known, other};
  } else {
    shape = shape_of(call, 1, call.count());
  }
  const std::string message = "reshape: can't reshape " + shape_text(e, value) + " array to " +
                              e.graph.text(shape.rows) + "x" + e.graph.text(shape.cols) + " array";
  require_equal(e, t.count(), shape.rows * shape.cols, call.span, message, {t.rows, t.cols, shape.rows, shape.cols},
                "reshape: can't reshape %dx%d array to %dx%d array");
  if (t.is_sparse()) return one(sparse_reshape(e, value, shape.rows, shape.cols));
  return one(e.builder.reshape(value, shape.rows, shape.cols));
}

Type diagonal_type(Element element, const Size& rows, const Size& cols, std::vector<Size> offsets) {
  Type type = Type::matrix(element, rows, cols);
  type.storage = Storage::diagonal;
  type.offsets = std::move(offsets);
  return type;
}

std::vector<Binding> speye(Call& call) {
  const Shape shape = shape_of(call, 0, call.count());
  Type type = diagonal_type(precision(call), shape.rows, shape.cols, {Size(0)});
  if (shape.rows == shape.cols) type.properties.add(Property::spd);
  return one(call.emit.builder.library(LibraryFn::sparse_identity, {}, {type})[0]);
}

std::vector<Binding> kron(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  if (call.count() > 2) {  // kron(kron(A, B), ...)
    Call first{e, call.walk, call.name, {call.args[0], call.args[1]}, 1, call.span};
    Call rest = call;
    rest.args.erase(rest.args.begin());
    rest.args[0] = kron(first)[0];
    return kron(rest);
  }
  ValueId x = call.matrix(0), y = call.matrix(1);
  const Type tx = call.type(x), ty = call.type(y);
  const Element element = arithmetic_join(tx.element, ty.element);
  Type result = Type::matrix(element, tx.rows * ty.rows, tx.cols * ty.cols);
  if (tx.is_dense() && ty.is_dense())
    return one(b.library(LibraryFn::kron, {b.convert(x, element), b.convert(y, element)}, {result})[0]);
  result.storage = Storage::csr;
  for (ValueId* operand : {&x, &y})
    if (!call.type(*operand).is_sparse()) {
      const auto known = sparse_of_structure(e, *operand);
      *operand = known ? *known : to_csr(e, *operand);
    }
  const Type sx = call.type(x), sy = call.type(y);
  if (sx.storage == Storage::diagonal && sy.storage == Storage::diagonal && ty.rows == ty.cols) {
    // (i1*p + i2, j1*p + j2) with j1 - i1 = a, j2 - i2 = b lies on diagonal a*p + b.
    std::vector<Size> offsets;
    bool ordered = true;
    for (const Size& a : sx.offsets)
      for (const Size& c : sy.offsets) {
        const std::size_t before = offsets.size();
        ordered = ordered && insert_offset(e, offsets, a * ty.rows + c) && offsets.size() == before + 1;
      }
    if (ordered) {
      result.storage = Storage::diagonal;
      result.offsets = offsets;
    }
  }
  return one(b.library(LibraryFn::kron, {x, y}, {result})[0]);
}

std::vector<Binding> full(Call& call) { return one(without_structure(call.emit, call.dense(0))); }

std::vector<Binding> colon(Call& call) {
  Builder& b = call.emit.builder;
  RangeParts parts;
  parts.some = b.constant(1, Element::logical);
  parts.first = call.scalar(0);
  parts.step = call.count() == 3 ? call.scalar(1) : b.constant(1, Element::integer);
  parts.last = call.scalar(call.count() - 1);
  return one(make_range(call.emit, parts, call.span));
}

}  // namespace

std::span<const Builtin> construct_builtins() {
  static constexpr Builtin entries[] = {
      {"linspace", 2, 3, 1, linspace}, {"repmat", 2, -1, 1, repmat}, {"diag", 1, 3, 1, diag},
      {"tril", 1, 3, 1, triangle},     {"triu", 1, 3, 1, triangle},  {"meshgrid", 1, 2, 2, meshgrid},
      {"reshape", 2, 3, 1, reshape},   {"speye", 0, 2, 1, speye},    {"kron", 2, -1, 1, kron},
      {"full", 1, 1, 1, full},         {"colon", 2, 3, 1, colon},
  };
  return entries;
}

}  // namespace lac::frontend
