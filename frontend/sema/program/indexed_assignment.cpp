// Indexed assignment, x(i) = v and A(i, j) = v, and the growth that it causes.
#include <tuple>

#include "frontend/sema/program/subscripts.h"

namespace lac::frontend {

// The shape that x(i) = v with positions below `wanted` leaves behind: rows and what has none grow to a row, columns to
// a column, other matrices must not grow. No extent shrinks, whatever the run finds.
std::pair<Size, Size> Lowerer::grown_by_one_index(Type t, const std::string& name, const Size& wanted) {
  if (t.rows.is(1) || (t.rows.is(0) && t.cols.is(0))) return {1, larger(t.cols, wanted)};
  const bool has_rows = facts.nonnegative(graph, t.rows - 1), never_row = has_rows && facts.not_one(graph, t.rows);
  if (t.cols.is(1) && never_row) return {larger(t.rows, wanted), 1};
  const auto apply = [&](ScalarOp op, ValueId a, ValueId b) { return builder.map(op, a, b); };
  const ValueId no = builder.constant(0, Element::logical);
  const ValueId rows = builder.size(t.rows), cols = builder.size(t.cols), end = builder.size(wanted);
  const ValueId as_row = never_row ? no : apply(ScalarOp::le, rows, builder.constant(1, Element::integer));
  const ValueId as_column = never_row && facts.not_one(graph, t.cols) ? no : equal_sizes(t.cols, 1);
  const ValueId vector = apply(ScalarOp::logical_or, as_row, as_column);
  const ValueId grows = apply(ScalarOp::gt, end, builder.size(t.count()));
  const ValueId fine = apply(ScalarOp::logical_or, vector, builder.map(ScalarOp::logical_not, grows));
  const std::string invalid =
      "Invalid resizing operation or ambiguous assignment to an out-of-bounds array element: " + name + "(";
  if (constant_of(fine) == 0.0)
    fail(graph.locations[builder.location].span,
         invalid + graph.text(wanted) + ") of a " + graph.text(t.rows) + "x" + graph.text(t.cols) + " matrix");
  require(fine, invalid + "%d) of a %dx%d matrix", {end, rows, cols}, "Octave:index-out-of-bounds");
  if (constant_of(vector) == 0.0) return {t.rows, t.cols};
  const ValueId to_row = apply(ScalarOp::logical_and, grows, as_row);
  const ValueId to_column = apply(ScalarOp::logical_and, grows,
                                  apply(ScalarOp::logical_and, as_column, builder.map(ScalarOp::logical_not, as_row)));
  return {chosen(to_row, 1, chosen(to_column, wanted, t.rows)), chosen(to_row, larger(t.cols, wanted), t.cols)};
}

// What ':' means beside a subscript that grows: `extent`, or `across` where the matrix turns out to be 0x0.
Size Lowerer::unless_empty(const Type& t, const Size& extent, const Size& across) {
  const auto surely_some = [&](const Size& size) { return facts.nonnegative(graph, size - 1); };
  if (extent == across || surely_some(t.rows) || surely_some(t.cols)) return extent;
  const ValueId empty = is_zero_by_zero(t);
  return chosen(empty, across, extent);
}

// What elements of a logical matrix become when numbers are assigned to them.
ValueId Lowerer::as_truth(ValueId value) {
  const Type t = type(value);
  if (t.element == Element::logical || (t.element == Element::single && graph.precision != Element::single))
    return value;
  const auto all = [&](ValueId truth) {
    return t.is_scalar() ? truth : builder.reduce(truth, {ReduceOp::all, Axis::all});
  };
  const ValueId zero = builder.constant(0, t.element), one = builder.constant(1, t.element);
  require_no_nan(value);
  const ValueId exact = all(
      builder.map(ScalarOp::logical_or, builder.map(ScalarOp::eq, value, zero), builder.map(ScalarOp::eq, value, one)));
  if (constant_of(exact) != 1.0) {
    Message message;
    message.stream = Stream::err;
    message.format = "value not equal to 1 or 0 converted to logical 1";
    builder.warn(exact, std::move(message), {});
  }
  return builder.map(ScalarOp::ne, value, zero);
}

namespace {

/// The elements that an assignment replaces: of a linear subscript as a column.
struct Region {
  Size rows, cols;
  bool linear = false;
  bool is_scalar() const { return rows.is(1) && cols.is(1); }
};

/// `value` in the shape of the region that it is assigned to; it fills the region where it turns out to be 1x1.
ValueId shaped_for(Lowerer& l, ValueId value, const Region& region, Span span) {
  const Type given = l.type(value);
  const Size op1[2] = {region.linear ? Size(1) : region.rows, region.linear ? region.rows : region.cols};
  const std::string text = "=: nonconformant arguments (op1 is " + l.graph.text(op1[0]) + "x" + l.graph.text(op1[1]) +
                           ", op2 is " + l.shape_text(value) + ")";
  const std::string format = "=: nonconformant arguments (op1 is %dx%d, op2 is %dx%d)";
  const std::vector<Size> shown = {op1[0], op1[1], given.rows, given.cols};
  const bool by_count = region.linear;
  const bool as_row =
      !by_count && region.rows.is(1) && given.cols.is(1);  // a row fits a column and the other way round
  const bool as_column = !by_count && !as_row && region.cols.is(1) && given.rows.is(1);
  const Size rows = by_count ? given.count() : as_row ? Size(1) : as_column ? given.cols : given.rows;
  const Size cols = by_count || as_column ? Size(1) : as_row ? given.rows : given.cols;
  const auto of_region = [&] {
    l.require_equal(region.rows, rows, span, text, shown, format);
    l.require_equal(region.cols, cols, span, text, shown, format);
    const bool alike = given.rows == region.rows && given.cols == region.cols;
    return alike ? value : l.builder.reshape(value, region.rows, region.cols);
  };
  if (region.is_scalar() || (region.rows == rows && region.cols == cols)) return of_region();
  const bool never = l.facts.distinct(l.graph, region.rows, rows) || l.facts.distinct(l.graph, region.cols, cols);
  return l.filling(value, region.rows, region.cols, {never, format, shown, "Octave:nonconformant-args"}, of_region);
}

}  // namespace

Binding Lowerer::assign_index(const Binding& base_binding, const std::string& name,
                              const std::vector<ast::ExprPtr>& args, const Binding& value_binding, Span span) {
  if (base_binding.is_text() && value_binding.is_text()) {
    const Binding base = Binding::matrix(codes(base_binding)), value = Binding::matrix(codes(value_binding));
    return Binding::computed_text(assign_index(base, name, args, value, span).value, base_binding.double_quoted);
  }
  if (!base_binding.is_matrix()) fail(span, "'" + name + "' is not a matrix, so its elements cannot be assigned");
  if (!value_binding.is_matrix()) {
    if (value_binding.kind == Binding::Kind::poisoned) throw LowerError{};
    fail(span, "only a matrix can be assigned to elements of '" + name + "'");
  }
  ValueId base = base_binding.value, value = value_binding.value;
  const auto diagonal = diagonal_of(base);
  value = dense(value);
  if (type(base).element == Element::logical) value = as_truth(value);
  const Element element = join(type(base).element, type(value).element);
  base = builder.convert(base, element);
  value = builder.convert(value, element);
  const Type t = type(base), vt = type(value);
  ResolvedSubscripts resolved = resolve(base, name, args, true, span);
  Subscripts& subscripts = resolved.subscripts;
  const bool linear = subscripts.linear();

  // Growth, and what ':' means on an empty base.
  Size rows = t.rows, cols = t.cols;
  if (!linear) {
    for (std::size_t i = 0; i < 2; ++i) {
      Size& extent = i == 0 ? rows : cols;
      const bool of_vector = vt.is_vector() && subscripts.axes[1 - i].count.is(1);  // it may lie either way
      const Size across = vt.is_scalar() ? Size(1) : of_vector ? vt.count() : i == 0 ? vt.rows : vt.cols;
      if (resolved.axes[i].colon && t.rows.is(0) && t.cols.is(0)) extent = subscripts.axes[i].count = across;
      else if (resolved.axes[i].colon && resolved.axes[1 - i].grows)
        extent = subscripts.axes[i].count = unless_empty(t, extent, across);
      else if (resolved.axes[i].grows) extent = larger(extent, resolved.axes[i].past_end);
    }
  } else if (resolved.axes[0].grows) {
    if (t.rows.is(0)) base = builder.fill(builder.constant(0, element), 0, 0);  // whatever its columns
    const Size wanted = resolved.axes[0].past_end;
    std::tie(rows, cols) = grown_by_one_index(type(base), name, wanted);
    if (t.rows.is(0) && !facts.nonnegative(graph, wanted - 1)) {  // no elements to store: nothing changes
      const ValueId none = equal_sizes(wanted, 0);
      rows = chosen(none, t.rows, rows);
      cols = chosen(none, t.cols, cols);
    }
  }
  const bool grows = rows != t.rows || cols != t.cols;
  if (grows && t.is_dense()) base = builder.resize(base, rows, cols);

  const Region region{subscripts.axes[0].count, linear ? Size(1) : subscripts.axes[1].count, linear};
  if (!vt.is_scalar()) value = shaped_for(*this, value, region, span);
  else if (t.is_dense() && !region.is_scalar()) value = builder.fill(value, region.rows, region.cols);
  if (t.is_sparse()) {
    std::vector<ValueId> operands = {base};
    std::vector<Positions> positions = positions_of(resolved);
    for (Positions& p : positions)
      operands.push_back(p.value ? p.value
                                 : builder.map(ScalarOp::add, builder.iota(Axis::rows, p.count, 1),
                                               builder.constant(1, Element::integer)));
    operands.push_back(value);
    return Binding::matrix(builder.library(LibraryFn::sparse_update, operands, {csr_type(element, rows, cols)})[0]);
  }
  const bool on_diagonal = diagonal && !linear && !grows && vt.is_scalar() && resolved.axes[0].scalar &&
                           resolved.axes[1].scalar && subscripts.axes[0].first == subscripts.axes[1].first;
  if (on_diagonal) {
    const Subscripts there{{subscripts.axes[0]}};
    const ValueId changed = builder.update(builder.convert(*diagonal, element), there, {}, value);
    return Binding::matrix(diagonal_matrix(changed, rows, cols));
  }
  // A(:, :) = v and x(:) = v replace everything.
  if (linear && resolved.axes[0].colon) return Binding::matrix(builder.reshape(value, rows, cols));
  return Binding::matrix(builder.update(base, subscripts, resolved.vectors, value));
}

}  // namespace lac::frontend
