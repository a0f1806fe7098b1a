// zeros, eye, linspace, spdiags, kron, ...: values out of sizes and other values.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "frontend/sema/builtins.h"

namespace lac::frontend {
namespace {

struct Shape {
  Size rows, cols;
};

// (), (n), (m, n), ([m n]); a trailing class name "double" is accepted.
Shape shape_of(Call& call, std::size_t first = 0) {
  std::size_t count = call.count();
  if (count > first && call.is_text(count - 1)) {
    if (call.text(count - 1) != "double")
      call.fail("class '" + call.text(count - 1) + "' is not supported here; say the precision for the whole program");
    --count;
  }
  count -= first;
  if (count == 0) return {1, 1};
  if (count > 2) call.fail("more than two dimensions: N-d arrays are outside the language");
  if (count == 2) return {call.size(first), call.size(first + 1)};
  const ValueId value = call.matrix(first);
  if (call.type(value).is_scalar()) {
    const Size n = call.size(first);
    return {n, n};
  }
  const auto elements = call.lower.facts.literals.find(value);
  if (elements == call.lower.facts.literals.end() || elements->second.size() != 2)
    call.fail("the dimensions must be scalars or a vector [m n] written out");
  const std::vector<ValueId> sizes = elements->second;
  return {call.lower.to_size(sizes[0], call.span, true), call.lower.to_size(sizes[1], call.span, true)};
}

std::vector<Binding> filled(Call& call, double number, Element element) {
  const Shape shape = shape_of(call);
  Builder& b = call.lower.builder;
  const ValueId value = b.constant(number, element);
  return one(shape.rows.is(1) && shape.cols.is(1) ? value : b.fill(value, shape.rows, shape.cols));
}

Element precision(const Call& call) { return call.lower.graph.precision; }

std::vector<Binding> zeros(Call& call) { return filled(call, 0, precision(call)); }
std::vector<Binding> ones(Call& call) { return filled(call, 1, precision(call)); }
std::vector<Binding> infinity(Call& call) {
  return filled(call, std::numeric_limits<double>::infinity(), precision(call));
}
std::vector<Binding> not_a_number(Call& call) {
  return filled(call, std::numeric_limits<double>::quiet_NaN(), precision(call));
}
std::vector<Binding> true_value(Call& call) { return filled(call, 1, Element::logical); }
std::vector<Binding> false_value(Call& call) { return filled(call, 0, Element::logical); }
std::vector<Binding> pi_value(Call& call) { return filled(call, std::numbers::pi, precision(call)); }
std::vector<Binding> e_value(Call& call) { return filled(call, std::numbers::e, precision(call)); }

std::vector<Binding> realmax_value(Call& call) {
  return filled(
      call, precision(call) == Element::single ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max(),
      precision(call));
}
std::vector<Binding> realmin_value(Call& call) {
  return filled(
      call, precision(call) == Element::single ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min(),
      precision(call));
}

std::vector<Binding> eps_value(Call& call) {
  const bool single = precision(call) == Element::single;
  if (call.count() == 0) return one(call.lower.builder.constant(single ? 0x1p-23 : 0x1p-52, precision(call)));
  call.fail("eps of a value is not supported yet");
}

std::vector<Binding> eye(Call& call) {
  const Shape shape = shape_of(call);
  Builder& b = call.lower.builder;
  if (shape.rows.is(1) && shape.cols.is(1)) return one(b.constant(1, precision(call)));
  const ValueId on =
      b.map(ScalarOp::eq, b.iota(Axis::rows, shape.rows, shape.cols), b.iota(Axis::cols, shape.rows, shape.cols));
  return one(b.convert(on, precision(call)));
}

std::vector<Binding> random(Call& call) {
  if (call.count() >= 1 && call.is_text(0)) {
    if (call.text(0) == "seed" || call.text(0) == "state" || call.text(0) == "twister") {
      call.fail("seeding inside a program is not supported yet: the sequence is fixed by the run's seed");
    }
    call.fail("unknown option '" + call.text(0) + "'");
  }
  const Shape shape = shape_of(call);
  return one(call.lower.builder.random(call.name == "randn" ? Distribution::normal : Distribution::uniform, shape.rows,
                                       shape.cols));
}

std::vector<Binding> linspace(Call& call) {
  Lowerer& l = call.lower;
  Builder& b = l.builder;
  const Element element = precision(call);
  const ValueId base = b.convert(call.scalar(0), element), limit = b.convert(call.scalar(1), element);
  const Size n = call.count() > 2 ? call.size(2) : Size(100);
  const ValueId last = b.convert(b.size(n - 1), element);
  const ValueId delta =
      l.elementwise(ScalarOp::div, {l.elementwise(ScalarOp::sub, {limit, base}, call.span, "-"), last}, call.span, "/");
  if (n.is(1)) return one(limit);
  const ValueId position = b.iota(Axis::cols, 1, n);
  const ValueId inner = l.elementwise(
      ScalarOp::add, {base, l.elementwise(ScalarOp::mul, {position, delta}, call.span, "*")}, call.span, "+");
  const ValueId at_end = l.elementwise(ScalarOp::eq, {position, b.size(n - 1)}, call.span, "==");
  return one(l.elementwise(ScalarOp::select, {at_end, limit, inner}, call.span, "linspace"));
}

std::vector<Binding> repmat(Call& call) {
  const Shape shape = shape_of(call, 1);
  Lowerer& l = call.lower;
  Builder& b = l.builder;
  const ValueId value = call.dense(0);
  const Type t = call.type(value);
  if (t.is_scalar()) return one(b.fill(value, shape.rows, shape.cols));
  // A repeated vector along its unit axis is a view with step 0.
  const bool spread_rows = t.rows.is(1), spread_cols = t.cols.is(1);
  if ((spread_rows && shape.cols.is(1)) || (spread_cols && shape.rows.is(1))) {
    Subscript rows{spread_rows ? SubscriptKind::range : SubscriptKind::all, 0, spread_rows ? 0 : 1,
                   spread_rows ? shape.rows : t.rows};
    Subscript cols{spread_rows ? SubscriptKind::all : SubscriptKind::range, 0, spread_rows ? 1 : 0,
                   spread_rows ? t.cols : shape.cols};
    return one(b.index(value, Subscripts{{rows, cols}}, {}, rows.count, cols.count));
  }
  const ValueId ones =
      b.fill(b.constant(1, t.element == Element::logical ? Element::integer : t.element), shape.rows, shape.cols);
  const Element element = arithmetic_join(t.element, t.element);
  return one(b.convert(b.library(LibraryFn::kron, {ones, b.convert(value, element)},
                                 {Type::matrix(element, shape.rows * t.rows, shape.cols * t.cols)})[0],
                       t.element));
}

// diag(v, k): a matrix with v on diagonal k; diag(M, k): that diagonal as a column.
std::vector<Binding> diag(Call& call) {
  Lowerer& l = call.lower;
  Builder& b = l.builder;
  const ValueId value = call.matrix(0);
  const Type t = call.type(value);
  const std::int64_t k = call.count() > 1 ? call.constant_integer(1, "the diagonal") : 0;
  if (t.is_sparse()) {
    if (k != 0) call.fail("a diagonal other than the main one of a sparse matrix is not supported yet");
    return one(b.library(LibraryFn::sparse_diagonal, {value}, {Type::matrix(t.element, t.rows, 1)})[0]);
  }
  if (t.rows.is(0) && t.cols.is(0)) return one(value);
  if (!t.rows.is(1) && !t.cols.is(1)) {
    const Size available_rows = k < 0 ? t.rows + k : t.rows, available_cols = k > 0 ? t.cols - k : t.cols;
    Size length = l.facts.less_equal(l.graph, available_rows, available_cols) ? available_rows : available_cols;
    if (!l.facts.less_equal(l.graph, length, available_rows) || !l.facts.less_equal(l.graph, length, available_cols))
      length = available_rows - l.max0(available_rows - available_cols);
    return one(b.diagonal(value, k, l.max0(length)));
  }
  const Size n = t.count(), extent = n + std::abs(k);
  if (t.is_scalar() && k == 0) return one(value);
  // On diagonal k >= 0 the element at (i, j) is v(i); below it is v(j).
  const ValueId spread =
      k >= 0 ? b.resize(b.reshape(value, n, 1), extent, 1) : b.resize(b.reshape(value, 1, n), 1, extent);
  const ValueId offset = b.map(ScalarOp::sub, b.iota(Axis::cols, extent, extent), b.iota(Axis::rows, extent, extent));
  const ValueId on = b.map(ScalarOp::eq, offset, b.constant(static_cast<double>(k), Element::integer));
  return one(b.map(ScalarOp::select, on, spread, b.constant(0, t.element)));
}

std::vector<Binding> triangle(Call& call) {
  Lowerer& l = call.lower;
  Builder& b = l.builder;
  const ValueId value = call.dense(0);
  const Type t = call.type(value);
  const ValueId k = call.count() > 1 ? l.as_integer(call.scalar(1), call.name + ": K must be an integer, not %g")
                                     : b.constant(0, Element::integer);
  const ValueId offset = b.map(ScalarOp::sub, b.iota(Axis::cols, t.rows, t.cols), b.iota(Axis::rows, t.rows, t.cols));
  const ValueId kept = b.map(call.name == "tril" ? ScalarOp::le : ScalarOp::ge, offset, k);
  return one(b.map(ScalarOp::select, kept, value, b.constant(0, t.element)));
}

std::vector<Binding> meshgrid(Call& call) {
  Builder& b = call.lower.builder;
  const ValueId x = call.dense(0), y = call.dense(call.count() > 1 ? 1 : 0);
  const Size n = call.type(x).count(), m = call.type(y).count();
  const Subscript all_cols{SubscriptKind::all, 0, 1, n}, all_rows{SubscriptKind::all, 0, 1, m};
  const ValueId xx = b.index(b.reshape(x, 1, n), Subscripts{{{SubscriptKind::range, 0, 0, m}, all_cols}}, {}, m, n);
  const ValueId yy = b.index(b.reshape(y, m, 1), Subscripts{{all_rows, {SubscriptKind::range, 0, 0, n}}}, {}, m, n);
  return {Binding::matrix(xx), Binding::matrix(yy)};
}

std::vector<Binding> reshape(Call& call) {
  Lowerer& l = call.lower;
  const ValueId value = call.dense(0);
  const Type t = call.type(value);
  Shape shape;
  if (call.count() == 3 && (call.is_empty_literal(1) || call.is_empty_literal(2))) {
    const bool rows_open = call.is_empty_literal(1);
    const Size known = call.size(rows_open ? 2 : 1);
    Builder& b = l.builder;
    Size other = 0;
    if (known.is(1)) other = t.count();
    else if (known == t.rows) other = t.cols;
    else if (known == t.cols) other = t.rows;
    else {
      const ValueId ratio =
          b.map(ScalarOp::div, b.convert(b.size(t.count()), Element::real), b.convert(b.size(known), Element::real));
      other = l.to_size(ratio, call.span, true);
    }
    shape = rows_open ? Shape{other, known} : Shape{known, other};
  } else {
    shape = shape_of(call, 1);
  }
  const std::string message = "reshape: can't reshape " + l.shape_text(value) + " array to " +
                              l.graph.text(shape.rows) + "x" + l.graph.text(shape.cols) + " array";
  l.require_equal(t.count(), shape.rows * shape.cols, call.span, message, {t.rows, t.cols, shape.rows, shape.cols},
                  "reshape: can't reshape %dx%d array to %dx%d array");
  return one(l.builder.reshape(value, shape.rows, shape.cols));
}

Type diagonal_type(Element element, const Size& rows, const Size& cols, std::vector<Size> offsets) {
  Type type = Type::matrix(element, rows, cols);
  type.storage = Storage::diagonal;
  type.offsets = std::move(offsets);
  return type;
}

std::vector<Binding> speye(Call& call) {
  const Shape shape = shape_of(call);
  Type type = diagonal_type(precision(call), shape.rows, shape.cols, {Size(0)});
  if (shape.rows == shape.cols) type.properties.add(Property::spd);
  return one(call.lower.builder.library(LibraryFn::sparse_identity, {}, {type})[0]);
}

// spdiags(B, d, m, n): column c of B becomes diagonal d(c). Columns are sorted by their diagonal first.
std::vector<Binding> spdiags(Call& call) {
  Lowerer& l = call.lower;
  Builder& b = l.builder;
  ValueId columns = call.dense(0);
  const ValueId which = call.matrix(1);
  const Size rows = call.size(2), cols = call.size(3);
  std::vector<ValueId> wanted;
  if (call.type(which).is_scalar()) wanted = {which};
  else if (const auto known = l.facts.literals.find(which); known != l.facts.literals.end()) wanted = known->second;
  else if (const auto range = l.facts.ranges.find(which);
           range != l.facts.ranges.end() && range->second.count.is_constant())
    for (std::int64_t i = 0; i < range->second.count.constant(); ++i)
      wanted.push_back(b.size(range->second.first + range->second.step * i));
  if (wanted.empty()) call.fail("the diagonals must be written out, such as [-n -1 0 1 n]");
  std::vector<Size> offsets, sorted;
  for (ValueId value : wanted) offsets.push_back(l.to_size(value, call.span, false));
  for (const Size& offset : offsets)
    if (!l.insert_offset(sorted, offset))
      call.fail("the order of the diagonals " + l.graph.text(offset) + " and others depends on the sizes");
  if (sorted.size() != offsets.size()) call.fail("a diagonal is given twice");
  const Type t = call.type(columns);
  l.require_equal(t.cols, static_cast<std::int64_t>(offsets.size()), call.span,
                  "spdiags: B has " + l.graph.text(t.cols) + " columns, but there are " +
                      std::to_string(offsets.size()) + " diagonals",
                  {t.cols}, "spdiags: B has %d columns, not as many as there are diagonals");
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
  return one(b.library(LibraryFn::spdiags, {b.convert(columns, precision(call))},
                       {diagonal_type(precision(call), rows, cols, sorted)})[0]);
}

std::vector<Binding> kron(Call& call) {
  Lowerer& l = call.lower;
  Builder& b = l.builder;
  ValueId x = call.matrix(0), y = call.matrix(1);
  const Type tx = call.type(x), ty = call.type(y);
  const Element element = arithmetic_join(tx.element, ty.element);
  Type result = Type::matrix(element, tx.rows * ty.rows, tx.cols * ty.cols);
  if (tx.is_dense() && ty.is_dense())
    return one(b.library(LibraryFn::kron, {b.convert(x, element), b.convert(y, element)}, {result})[0]);
  result.storage = Storage::csr;
  if (tx.storage == Storage::diagonal && ty.storage == Storage::diagonal && ty.rows == ty.cols) {
    // (i1*p + i2, j1*p + j2) with j1 - i1 = a, j2 - i2 = b lies on diagonal a*p + b.
    std::vector<Size> offsets;
    bool ordered = true;
    for (const Size& a : tx.offsets)
      for (const Size& c : ty.offsets) {
        const std::size_t before = offsets.size();
        ordered = ordered && l.insert_offset(offsets, a * ty.rows + c) && offsets.size() == before + 1;
      }
    if (ordered) {
      result.storage = Storage::diagonal;
      result.offsets = offsets;
    }
  }
  const auto sparse = [&](ValueId value) {
    const Type t = call.type(value);
    if (t.is_sparse()) return value;
    Type converted = Type::matrix(t.element, t.rows, t.cols);
    converted.storage = Storage::csr;
    return b.library(LibraryFn::sparse_convert, {value}, {converted})[0];
  };
  return one(b.library(LibraryFn::kron, {sparse(x), sparse(y)}, {result})[0]);
}

std::vector<Binding> sparse(Call& call) {
  Lowerer& l = call.lower;
  Builder& b = l.builder;
  if (call.count() == 1) {
    const ValueId value = call.matrix(0);
    const Type t = call.type(value);
    if (t.is_sparse()) return one(value);
    Type result = Type::matrix(t.element == Element::logical ? Element::integer : t.element, t.rows, t.cols);
    result.storage = Storage::csr;
    return one(b.library(LibraryFn::sparse_convert, {b.convert(value, result.element)}, {result})[0]);
  }
  if (call.count() == 2) {
    Type result = Type::matrix(precision(call), call.size(0), call.size(1));
    result.storage = Storage::csr;
    return one(b.library(LibraryFn::sparse_convert, {b.fill(b.constant(0, result.element), result.rows, result.cols)},
                         {result})[0]);
  }
  if (call.count() != 5) call.fail("give all of sparse(i, j, v, m, n): the shape must be known before the data");
  const Size rows = call.size(3), cols = call.size(4);
  ValueId parts[3] = {call.dense(0), call.dense(1), call.dense(2)};
  Size count = 1;
  for (ValueId part : parts)
    if (!call.type(part).is_scalar()) count = call.type(part).count();
  for (int i = 0; i < 3; ++i) {
    const Type t = call.type(parts[i]);
    if (t.is_scalar()) parts[i] = b.fill(parts[i], count, 1);
    else l.require_equal(t.count(), count, call.span, "sparse: dimension mismatch", {}, "sparse: dimension mismatch");
    parts[i] = b.reshape(parts[i], count, 1);
  }
  for (int i = 0; i < 2; ++i) {
    l.check_positions(parts[i], i == 0 ? rows : cols, "sparse", static_cast<std::size_t>(i), 2,
                      Type::matrix(precision(call), rows, cols));
    parts[i] = b.convert(parts[i], Element::integer);
  }
  Type result = Type::matrix(precision(call), rows, cols);
  result.storage = Storage::csr;
  return one(
      b.library(LibraryFn::sparse_triplets, {parts[0], parts[1], b.convert(parts[2], precision(call))}, {result})[0]);
}

std::vector<Binding> full(Call& call) { return one(call.dense(0)); }

std::vector<Binding> colon(Call& call) {
  const ValueId first = call.scalar(0), second = call.scalar(1);
  Builder& b = call.lower.builder;
  if (call.count() == 3) return one(call.lower.make_range(first, second, call.scalar(2), call.span));
  return one(call.lower.make_range(first, b.constant(1, Element::integer), second, call.span));
}

constexpr Builtin entries[] = {
    {"zeros", 0, 3, 1, zeros},
    {"ones", 0, 3, 1, ones},
    {"Inf", 0, 2, 1, infinity},
    {"inf", 0, 2, 1, infinity},
    {"NaN", 0, 2, 1, not_a_number},
    {"nan", 0, 2, 1, not_a_number},
    {"NA", 0, 2, 1, not_a_number},
    {"true", 0, 2, 1, true_value},
    {"false", 0, 2, 1, false_value},
    {"pi", 0, 2, 1, pi_value},
    {"e", 0, 2, 1, e_value},
    {"eps", 0, 1, 1, eps_value},
    {"realmax", 0, 2, 1, realmax_value},
    {"realmin", 0, 2, 1, realmin_value},
    {"eye", 0, 2, 1, eye},
    {"rand", 0, 3, 1, random},
    {"randn", 0, 3, 1, random},
    {"linspace", 2, 3, 1, linspace},
    {"repmat", 2, 3, 1, repmat},
    {"diag", 1, 2, 1, diag},
    {"tril", 1, 2, 1, triangle},
    {"triu", 1, 2, 1, triangle},
    {"meshgrid", 1, 2, 2, meshgrid},
    {"reshape", 2, 3, 1, reshape},
    {"speye", 0, 2, 1, speye},
    {"spdiags", 4, 4, 1, spdiags},
    {"kron", 2, 2, 1, kron},
    {"sparse", 1, 5, 1, sparse},
    {"full", 1, 1, 1, full},
    {"colon", 2, 3, 1, colon},
};

}  // namespace

std::span<const Builtin> construct_builtins() { return entries; }

}  // namespace lac::frontend
