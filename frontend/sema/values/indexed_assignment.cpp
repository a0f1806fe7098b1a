#include "frontend/sema/values/indexed_assignment.h"

#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/messages.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/structured.h"
#include "frontend/sema/values/subscripts.h"
#include "ir/types/extent.h"

namespace lac::frontend {
namespace {

// The shape that x(i) = v with positions below `wanted` leaves behind: rows and what has none grow to a row, columns to
// a column, other matrices must not grow. No extent shrinks, whatever the run finds.
std::pair<Size, Size> grown_by_one_index(Emitter& e, Type t, const std::string& name, const Size& wanted) {
  if (t.rows.is(1) || (t.rows.is(0) && t.cols.is(0))) return {1, e.larger(t.cols, wanted)};
  if (t.is_sparse() && t.rows.is(0)) return {1, e.larger(t.cols, wanted)};  // unlike full ones
  if (t.is_sparse() && t.cols.is(0) && t.rows.is_constant() && wanted.is_constant()) {
    const std::int64_t rows = t.rows.constant();
    return {rows, (wanted.constant() + rows - 1) / rows};
  }
  const bool has_rows = e.facts.nonnegative(e.graph, t.rows - 1),
             never_row = has_rows && e.facts.not_one(e.graph, t.rows);
  if (t.cols.is(1) && never_row) return {e.larger(t.rows, wanted), 1};
  const auto apply = [&](ScalarOp op, ValueId a, ValueId b) { return e.builder.map(op, a, b); };
  const ValueId no = e.builder.constant(0, Element::logical);
  const ValueId rows = e.builder.size(t.rows), cols = e.builder.size(t.cols), end = e.builder.size(wanted);
  const ValueId as_row = never_row ? no : apply(ScalarOp::le, rows, e.builder.constant(1, Element::integer));
  const ValueId as_column = never_row && e.facts.not_one(e.graph, t.cols) ? no : e.equal_sizes(t.cols, 1);
  const ValueId vector = apply(ScalarOp::logical_or, as_row, as_column);
  const ValueId grows = apply(ScalarOp::gt, end, e.builder.size(t.count()));
  const ValueId fine = apply(ScalarOp::logical_or, vector, e.builder.map(ScalarOp::logical_not, grows));
  const std::string invalid =
      "Invalid resizing operation or ambiguous assignment to an out-of-bounds array element: " + name + "(";
  e.require(fine, invalid + "%d) of a %dx%d matrix", {end, rows, cols}, "Octave:invalid-resize");
  if (e.constant_of(vector) == 0.0) return {t.rows, t.cols};
  const ValueId to_row = apply(ScalarOp::logical_and, grows, as_row);
  const ValueId to_column =
      apply(ScalarOp::logical_and, grows,
            apply(ScalarOp::logical_and, as_column, e.builder.map(ScalarOp::logical_not, as_row)));
  return {e.chosen(to_row, 1, e.chosen(to_column, wanted, t.rows)), e.chosen(to_row, e.larger(t.cols, wanted), t.cols)};
}

// What ':' means beside a subscript that grows: `extent`, or `across` where the matrix turns out to be 0x0.
Size unless_empty(Emitter& e, const Type& t, const Size& extent, const Size& across) {
  const auto surely_some = [&](const Size& size) { return e.facts.nonnegative(e.graph, size - 1); };
  if (extent == across || surely_some(t.rows) || surely_some(t.cols)) return extent;
  const ValueId empty = e.is_zero_by_zero(t);
  return e.chosen(empty, across, extent);
}

// What elements of a logical matrix become when numbers are assigned to them.
ValueId as_truth(Emitter& e, ValueId value) {
  const Type t = e.type(value);
  if (t.element == Element::logical || (t.element == Element::single && e.graph.precision != Element::single))
    return value;
  const auto all = [&](ValueId truth) {
    return t.is_scalar() ? truth : e.builder.reduce(truth, {ReduceOp::all, Axis::all});
  };
  const ValueId zero = e.builder.constant(0, t.element), one = e.builder.constant(1, t.element);
  require_no_nan(e, value);
  const ValueId exact = all(e.builder.map(ScalarOp::logical_or, e.builder.map(ScalarOp::eq, value, zero),
                                          e.builder.map(ScalarOp::eq, value, one)));
  if (e.constant_of(exact) != 1.0) {
    Message message;
    message.stream = Stream::err;
    message.format = "value not equal to 1 or 0 converted to logical 1";
    e.builder.warn(exact, std::move(message), {});
  }
  return e.builder.map(ScalarOp::ne, value, zero);
}

/// The elements that an assignment replaces: of a linear subscript as a column.
struct Region {
  Size rows, cols;
  bool linear = false;
  bool is_scalar() const { return rows.is(1) && cols.is(1); }
};

/// `value` in the shape of the region that it is assigned to; it fills the region where it turns out to be 1x1.
ValueId shaped_for(Emitter& e, ValueId value, const Region& region, Span span) {
  const Type given = e.type(value);
  const Size op1[2] = {region.rows, region.cols};
  const std::string text = "=: nonconformant arguments (op1 is " + e.graph.text(op1[0]) + "x" + e.graph.text(op1[1]) +
                           ", op2 is " + shape_text(e, value) + ")";
  const std::string format = "=: nonconformant arguments (op1 is %dx%d, op2 is %dx%d)";
  const std::vector<Size> shown = {op1[0], op1[1], given.rows, given.cols};
  const bool by_count = region.linear;
  const bool as_row =
      !by_count && region.rows.is(1) && given.cols.is(1);  // a row fits a column and the other way round
  const bool as_column = !by_count && !as_row && region.cols.is(1) && given.rows.is(1);
  const Size rows = by_count ? given.count() : as_row ? Size(1) : as_column ? given.cols : given.rows;
  const Size cols = by_count || as_column ? Size(1) : as_row ? given.rows : given.cols;
  const auto of_region = [&] {
    require_equal(e, region.rows, rows, span, text, shown, format);
    require_equal(e, region.cols, cols, span, text, shown, format);
    const bool alike = given.rows == region.rows && given.cols == region.cols;
    return alike ? value : e.builder.reshape(value, region.rows, region.cols);
  };
  if (region.is_scalar() || (region.rows == rows && region.cols == cols)) return of_region();
  const bool never = e.facts.distinct(e.graph, region.rows, rows) || e.facts.distinct(e.graph, region.cols, cols) ||
                     e.facts.distinct(e.graph, region.rows * region.cols, given.count());
  const Misfit misfit = {never, format, shown, "Octave:nonconformant-args", {{region.rows, rows}, {region.cols, cols}}};
  return filling(e, value, region.rows, region.cols, misfit, of_region);
}

}  // namespace

IndexedStore::IndexedStore(Emitter& e, ValueId base, ValueId value) : e_(e), diagonal_(diagonal_of(e, base)) {
  value = dense(e, value);
  if (e.type(base).element == Element::logical) value = as_truth(e, value);
  element_ = join(e.type(base).element, e.type(value).element);
  // Of a double variable singles become double elements.
  const bool is_double = e.graph.precision == Element::real && e.type(base).element != Element::single;
  if (is_double && element_ == Element::single) element_ = Element::real;
  base_ = e.builder.convert(base, element_);
  value_ = e.builder.convert(value, element_);
}

ValueId IndexedStore::into(ResolvedSubscripts resolved, const std::string& name, Span span) {
  const Type t = e_.type(base_);
  Subscripts& subscripts = resolved.subscripts;
  const bool linear = subscripts.linear();
  const auto [rows, cols] = linear ? grown_along(resolved, name) : grown_across(resolved);
  const bool grows = rows != t.rows || cols != t.cols;
  if (grows && t.is_dense() && e_.errors && too_many_elements(rows, cols))
    e_.require(e_.builder.constant(0, Element::logical), std::string(too_large_text), {}, "Octave:bad-alloc");
  if (grows && t.is_dense()) base_ = e_.builder.resize(base_, rows, cols);

  const Region region{subscripts.axes[0].count, linear ? Size(1) : subscripts.axes[1].count, linear};
  const bool one_value = e_.type(value_).is_scalar();
  if (!one_value) value_ = shaped_for(e_, value_, region, span);
  else if (t.is_dense() && !region.is_scalar()) value_ = e_.builder.fill(value_, region.rows, region.cols);
  if (t.is_sparse()) return into_sparse(resolved, rows, cols);
  const bool on_diagonal = diagonal_ && !linear && !grows && one_value && resolved.axes[0].scalar &&
                           resolved.axes[1].scalar && subscripts.axes[0].first == subscripts.axes[1].first;
  if (on_diagonal) {
    const Subscripts there{{subscripts.axes[0]}};
    const ValueId changed = e_.builder.update(e_.builder.convert(*diagonal_, element_), there, {}, value_);
    return diagonal_matrix(e_, changed, rows, cols);
  }
  // A(:, :) = v and x(:) = v replace everything.
  if (linear && resolved.axes[0].colon) return e_.builder.reshape(value_, rows, cols);
  return e_.builder.update(base_, subscripts, resolved.vectors, value_);
}

// The shape that A(i, j) = v leaves behind, and what ':' means on an empty base.
std::pair<Size, Size> IndexedStore::grown_across(ResolvedSubscripts& resolved) {
  const Type t = e_.type(base_), vt = e_.type(value_);
  Subscripts& subscripts = resolved.subscripts;
  Size extents[2] = {t.rows, t.cols};
  for (std::size_t i = 0; i < 2; ++i) {
    Size& extent = extents[i];
    const bool of_vector = vt.is_vector() && subscripts.axes[1 - i].count.is(1);  // it may lie either way
    const Size across = vt.is_scalar() ? Size(1) : of_vector ? vt.count() : i == 0 ? vt.rows : vt.cols;
    if (resolved.axes[i].colon && t.rows.is(0) && t.cols.is(0)) extent = subscripts.axes[i].count = across;
    else if (resolved.axes[i].colon && resolved.axes[1 - i].grows)
      extent = subscripts.axes[i].count = unless_empty(e_, t, extent, across);
    else if (resolved.axes[i].grows) extent = e_.larger(extent, resolved.axes[i].past_end);
  }
  return {extents[0], extents[1]};
}

// The same of x(i) = v.
std::pair<Size, Size> IndexedStore::grown_along(const ResolvedSubscripts& resolved, const std::string& name) {
  const Type t = e_.type(base_);
  if (!resolved.axes[0].grows) return {t.rows, t.cols};
  if (t.rows.is(0) && t.is_dense())  // whatever its columns
    base_ = e_.builder.fill(e_.builder.constant(0, element_), 0, 0);
  const Size wanted = resolved.axes[0].past_end;
  auto [rows, cols] = grown_by_one_index(e_, e_.type(base_), name, wanted);
  if (t.rows.is(0) && !e_.facts.nonnegative(e_.graph, wanted - 1)) {  // no elements to store: nothing changes
    const ValueId none = e_.equal_sizes(wanted, 0);
    rows = e_.chosen(none, t.rows, rows);
    cols = e_.chosen(none, t.cols, cols);
  }
  return {rows, cols};
}

ValueId IndexedStore::into_sparse(const ResolvedSubscripts& resolved, const Size& rows, const Size& cols) {
  Builder& b = e_.builder;
  std::vector<ValueId> operands = {base_};
  for (const Positions& p : positions_of(e_, resolved))
    operands.push_back(p.value ? p.value
                               : b.map(ScalarOp::add, b.iota(Axis::rows, p.count, 1), b.constant(1, Element::integer)));
  operands.push_back(value_);
  return b.library(LibraryFn::sparse_update, operands, {csr_type(element_, rows, cols)})[0];
}

}  // namespace lac::frontend
