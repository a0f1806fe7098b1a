#include "frontend/sema/values/deletion.h"

#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/structured.h"

namespace lac::frontend {
namespace {

/// What is left of an axis: `count` positions, from 1, a column where there is a value, else the slice from `first`.
struct Kept {
  ValueId positions;
  Size first, count;
};

ValueId constant(Emitter& e, double number) { return e.builder.constant(number, Element::integer); }
ValueId both(Emitter& e, ValueId a, ValueId b) { return e.builder.map(ScalarOp::logical_and, a, b); }
ValueId either(Emitter& e, ValueId a, ValueId b) { return e.builder.map(ScalarOp::logical_or, a, b); }
ValueId opposite(Emitter& e, ValueId a) { return e.builder.map(ScalarOp::logical_not, a); }
ValueId truth_of(Emitter& e, bool known) { return e.builder.constant(known ? 1 : 0, Element::logical); }

/// Positions lie one behind the other.
bool is_block(const Subscript& subscript) {
  return subscript.kind == SubscriptKind::range && (subscript.step.is(1) || subscript.step.is(-1));
}

// Those before a block keep their positions, those behind it move up.
Kept beside_block(Emitter& e, const Subscript& block, const Size& extent) {
  Builder& b = e.builder;
  const Size low = block.step.is(1) ? block.first : block.first - (block.count - 1);
  const Size count = e.max0(extent - block.count);
  if (low.is(0)) return {{}, block.count, count};
  if (low + block.count == extent) return {{}, 0, count};
  const ValueId place = b.iota(Axis::rows, count, 1);
  const ValueId behind = b.map(ScalarOp::ge, place, b.size(low));
  const ValueId gap = b.map(ScalarOp::mul, b.convert(behind, Element::integer), b.size(block.count));
  return {b.map(ScalarOp::add, b.map(ScalarOp::add, place, gap), constant(e, 1)), 0, count};
}

// Of any positions, in any order and more than once: those that none of them names.
Kept unnamed(Emitter& e, const Subscript& subscript, const std::vector<ValueId>& vectors, const Size& extent) {
  Builder& b = e.builder;
  const ValueId none = b.fill(truth_of(e, false), extent, 1);
  const ValueId named = b.fill(truth_of(e, true), subscript.count, 1);
  const ValueId marked = b.update(none, Subscripts{{subscript}}, vectors, named);
  const ValueId positions = find_positions(e, opposite(e, marked));
  return {positions, 0, e.type(positions).count()};
}

Kept kept_of(Emitter& e, const Subscript& subscript, const std::vector<ValueId>& vectors, const Size& extent) {
  return is_block(subscript) ? beside_block(e, subscript, extent) : unnamed(e, subscript, vectors, extent);
}

Subscript subscript_of(const Kept& kept) {
  if (kept.positions) return {SubscriptKind::vector, 0, 1, kept.count};
  return {SubscriptKind::range, kept.first, 1, kept.count};
}

std::vector<ValueId> vectors_of(const Kept& kept) {
  return kept.positions ? std::vector{kept.positions} : std::vector<ValueId>();
}

Positions positions_of(Emitter& e, const Kept& kept) {
  if (kept.positions) return {kept.positions, kept.count};
  const ValueId place = e.builder.iota(Axis::rows, kept.count, 1);
  return {e.builder.map(ScalarOp::add, place, e.builder.size(kept.first + 1)), kept.count};
}

/// Nothing is deleted.
ValueId is_idle(Emitter& e, const ResolvedSubscripts& resolved, std::size_t axis) {
  return e.equal_sizes(resolved.subscripts.axes[axis].count, 0);
}

void require_inside(Emitter& e, const ResolvedSubscripts& resolved, std::size_t axis, const Size& extent) {
  const Size& end = resolved.axes[axis].past_end;
  if (e.facts.nonnegative_here(e.graph, extent - end)) return;
  const ValueId fine = e.builder.map(ScalarOp::le, e.builder.size(end), e.builder.size(extent));
  const std::string place = resolved.axes.size() == 1 ? "A(I)" : "A(..,I,..)";
  e.require(either(e, is_idle(e, resolved, axis), fine), place + " = []: index out of bounds: value %d out of bound %d",
            {e.builder.size(end), e.builder.size(extent)}, "Octave:index-out-of-bounds");
  if (e.constant_of(is_idle(e, resolved, axis)) == 0.0) e.facts.note_nonnegative(extent - end);
}

// Octave takes a range or a scalar from a matrix by moving the rest into a row, and so a mask of at least a sixteenth
// of its elements that begins with all that it selects; of other positions the rest is a column, unless it is sparse.
ValueId leaves_row(Emitter& e, const Type& t, const ResolvedSubscripts& resolved) {
  const Subscript& subscript = resolved.subscripts.axes[0];
  const ResolvedSubscripts::Axis& axis = resolved.axes[0];
  if (t.is_sparse()) return truth_of(e, true);
  if (subscript.kind == SubscriptKind::range) return truth_of(e, subscript.step.is(1));
  if (!axis.mask) return truth_of(e, false);
  Builder& b = e.builder;
  const ValueId many = b.map(ScalarOp::gt, b.map(ScalarOp::mul, b.size(subscript.count), constant(e, 16)),
                             b.size(e.type(axis.mask).count()));
  return both(e, e.equal_sizes(axis.past_end, subscript.count), many);
}

/// The shape of x(i) = [] with `count` elements left.
std::pair<Size, Size> shape_left(Emitter& e, const Type& t, const ResolvedSubscripts& resolved, const Size& count) {
  if (t.rows.is(1) && !t.cols.is(1)) return {1, count};
  if (t.cols.is(1) && !t.rows.is(1)) return {count, 1};
  const auto one = [&](const Size& size) { return e.equal_sizes(size, 1); };
  const ValueId row = either(e, both(e, one(t.rows), opposite(e, one(t.cols))), leaves_row(e, t, resolved));
  const ValueId as_column = both(e, one(t.cols), opposite(e, one(t.rows)));
  const ValueId as_row = both(e, row, opposite(e, as_column));
  const ValueId idle = is_idle(e, resolved, 0);
  return {e.chosen(idle, t.rows, e.chosen(as_row, 1, count)), e.chosen(idle, t.cols, e.chosen(as_row, count, 1))};
}

ValueId without_elements(Emitter& e, ValueId value, const ResolvedSubscripts& resolved) {
  const Type t = e.type(value);
  if (resolved.axes[0].colon)
    return t.is_sparse() ? to_csr(e, e.builder.fill(e.builder.constant(0, t.element), 0, 0))
                         : e.builder.fill(e.builder.constant(0, t.element), 0, 0);
  require_inside(e, resolved, 0, t.count());
  const Kept kept = kept_of(e, resolved.subscripts.axes[0], resolved.vectors, t.count());
  const auto [rows, cols] = shape_left(e, t, resolved, kept.count);
  if (t.is_sparse()) return sparse_elements(e, value, positions_of(e, kept), rows, cols);
  return e.builder.index(value, Subscripts{{subscript_of(kept)}}, vectors_of(kept), rows, cols);
}

ValueId without_lines(Emitter& e, ValueId value, const ResolvedSubscripts& resolved, Axis axis) {
  const Type t = e.type(value);
  const std::size_t at = axis == Axis::rows ? 0 : 1;
  const Size& extent = axis == Axis::rows ? t.rows : t.cols;
  require_inside(e, resolved, at, extent);
  const Kept kept = kept_of(e, resolved.subscripts.axes[at], resolved.vectors, extent);
  if (t.is_sparse()) {
    const Positions lines = positions_of(e, kept), all = {{}, axis == Axis::rows ? t.cols : t.rows};
    return axis == Axis::rows ? sparse_region(e, value, lines, all) : sparse_region(e, value, all, lines);
  }
  Subscripts left = resolved.subscripts;
  left.axes[at] = subscript_of(kept);
  return e.builder.index(value, left, vectors_of(kept), left.axes[0].count, left.axes[1].count);
}

}  // namespace

ValueId without(Emitter& e, ValueId value, const ResolvedSubscripts& resolved) {
  value = e.type(value).is_sparse() ? value : without_structure(e, value);
  if (resolved.axes.size() == 1) return without_elements(e, value, resolved);
  const bool all_rows = resolved.axes[0].colon, all_cols = resolved.axes[1].colon;
  if (all_rows && all_cols) {
    const Type t = e.type(value);
    const Positions none = {e.builder.fill(constant(e, 0), 0, 1), 0};
    if (t.is_sparse()) return sparse_region(e, value, {{}, t.rows}, none);
    return e.builder.fill(e.builder.constant(0, t.element), 0, t.cols);
  }
  if (all_cols) return without_lines(e, value, resolved, Axis::rows);
  if (all_rows) return without_lines(e, value, resolved, Axis::cols);
  e.require(either(e, is_idle(e, resolved, 0), is_idle(e, resolved, 1)),
            "a null assignment can only have one non-colon index", {});
  return value;
}

}  // namespace lac::frontend
