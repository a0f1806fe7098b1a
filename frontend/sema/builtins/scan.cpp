// cumsum, cummax, ..., diff: functions that go along an axis and keep it.
#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/elementwise.h"

namespace lac::frontend {
namespace {

Size extent_along(const Type& t, Axis axis) { return axis == Axis::rows ? t.rows : t.cols; }

/// `count` elements along the axis from element `first` on.
ValueId part(Call& call, ValueId value, Axis axis, const Size& first, const Size& count) {
  const Type t = call.type(value);
  const Subscript some{SubscriptKind::range, first, 1, count};
  if (axis == Axis::rows)
    return call.emit.builder.index(value, Subscripts{{some, {SubscriptKind::all, 0, 1, t.cols}}}, {}, count, t.cols);
  return call.emit.builder.index(value, Subscripts{{{SubscriptKind::all, 0, 1, t.rows}, some}}, {}, t.rows, count);
}

/// The first axis longer than 1, rows where there is none; none where the run decides.
std::optional<Axis> first_long_axis(const Call& call, const Type& t) {
  if (t.cols.is(1)) return Axis::rows;
  if (t.rows.is(1)) return Axis::cols;
  if (call.emit.facts.not_one(call.emit.graph, t.rows)) return Axis::rows;
  return std::nullopt;
}

/// Runs `body` with that axis; where the run decides it, in a branch.
ValueId along_first_long_axis(Call& call, const Type& t, const std::function<ValueId(Axis)>& body) {
  if (const auto axis = first_long_axis(call, t)) return body(*axis);
  Emitter& e = call.emit;
  const ValueId row = e.builder.map(ScalarOp::logical_and, e.equal_sizes(t.rows, 1),
                                    e.builder.map(ScalarOp::logical_not, e.equal_sizes(t.cols, 1)));
  return branch_value(
      e, row, [&] { return body(Axis::cols); }, [&] { return body(Axis::rows); });
}

// Where each extreme so far was met first: the largest position so far at which `so_far` changed.
ValueId positions_of(Call& call, ValueId so_far, Axis axis) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const Type t = call.type(so_far);
  const Size extent = extent_along(t, axis), rest = e.max0(extent - 1);
  const ValueId before = part(call, so_far, axis, 0, rest), after = part(call, so_far, axis, 1, rest);
  const ValueId equal = b.map(ScalarOp::eq, before, after);
  const ValueId same =
      is_floating(t.element)
          ? b.map(ScalarOp::logical_or, equal,
                  b.map(ScalarOp::logical_and, b.map(ScalarOp::is_nan, before), b.map(ScalarOp::is_nan, after)))
          : equal;
  const Size rows = axis == Axis::rows ? Size(1) : t.rows, cols = axis == Axis::rows ? t.cols : Size(1);
  const ValueId first = b.fill(b.constant(1, Element::logical), rows, cols);
  ValueId changed = b.concat({first, b.map(ScalarOp::logical_not, same)}, axis);
  if (rest + 1 != extent) changed = part(call, changed, axis, 0, extent);
  const ValueId unit = b.constant(1, Element::integer);
  const ValueId place = b.map(ScalarOp::add, b.iota(axis, t.rows, t.cols), unit);
  return b.scan(b.map(ScalarOp::select, changed, place, unit), {ReduceOp::max, axis});
}

std::vector<Binding> cumulative(Call& call, ReduceOp op, const std::string& complaint) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  ValueId value = call.dense(0);
  if (call.type(value).element == Element::logical) {
    call.args[0] = Binding::matrix(b.convert(value, Element::integer));
    std::vector<Binding> results = cumulative(call, op, complaint);
    if (op == ReduceOp::max || op == ReduceOp::min)
      results[0] = Binding::matrix(b.map(ScalarOp::ne, results[0].value, b.constant(0, Element::integer)));
    return results;
  }
  const Type t = call.type(value);
  const bool wants_places = call.nargout > 1;
  if (t.is_scalar() && !wants_places && call.count() == 1) return one(value);  // a sum of -0 alone keeps the sign
  const ValueId unit = b.constant(1, Element::integer);
  std::optional<Axis> axis;
  if (call.count() > 1) axis = any_dimension(call, 1, complaint);
  else if (!wants_places)
    return one(along_first_long_axis(call, t, [&](Axis along) { return b.scan(value, {op, along}); }));
  else axis = first_long_axis(call, t).value_or(Axis::rows);
  if (!axis || t.is_scalar())
    return {Binding::matrix(value), Binding::matrix(t.is_scalar() ? unit : b.fill(unit, t.rows, t.cols))};
  const ValueId scanned = b.scan(value, {op, *axis});
  if (!wants_places) return one(scanned);
  return {Binding::matrix(scanned), Binding::matrix(positions_of(call, scanned, *axis))};
}

constexpr const char* of_sums = "invalid dimension argument =";
constexpr const char* of_extremes = "DIM must be a valid dimension";

std::vector<Binding> cumsum(Call& call) {
  take_option(call);  // "native", "double"
  return cumulative(call, ReduceOp::sum, of_sums);
}
std::vector<Binding> cumprod(Call& call) { return cumulative(call, ReduceOp::prod, of_sums); }
std::vector<Binding> cummax(Call& call) { return cumulative(call, ReduceOp::max, of_extremes); }
std::vector<Binding> cummin(Call& call) { return cumulative(call, ReduceOp::min, of_extremes); }

ValueId differences(Call& call, ValueId value, Axis axis, std::int64_t order) {
  Emitter& e = call.emit;
  for (std::int64_t i = 0; i < order; ++i) {
    const Size extent = extent_along(call.type(value), axis);
    if (extent.is(0)) break;
    const Size rest = e.max0(extent - 1);
    value = elementwise(e, ScalarOp::sub, {part(call, value, axis, 1, rest), part(call, value, axis, 0, rest)},
                        call.span, "diff");
  }
  return value;
}

struct Order {
  Axis axis;
  std::int64_t times;
};

// An order that uses up the first long axis goes on along the next one, and there the differences of x itself are
// taken; each axis uses up one less than its extent.
Order order_of_all(const Type& t, Axis first, std::int64_t order) {
  const Size extents[2] = {t.rows, t.cols};
  Order used{first, order};
  const Size& leading = extents[first == Axis::rows ? 0 : 1];
  if (!leading.is_constant() || leading.constant() > order) return used;
  for (int axis = first == Axis::rows ? 0 : 1; axis < 2 && order > 0; ++axis) {
    if (!extents[axis].is_constant()) return {Axis::cols, order};
    if (extents[axis].is(1)) continue;
    used = {axis == 0 ? Axis::rows : Axis::cols, extents[axis].constant() - 1};
    order -= used.times;
  }
  return order > 0 ? Order{Axis::cols, order} : used;
}

std::vector<Binding> diff(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  ValueId value = call.dense(0);
  if (call.type(value).element == Element::logical) value = b.convert(value, Element::integer);
  const Type t = call.type(value);
  const std::int64_t order = call.count() > 1 && !call.is_empty_literal(1) ? call.constant_integer(1, "order K") : 1;
  if (order < 0) call.fail("order K must be non-negative");
  if (call.count() > 2) {
    const std::int64_t dimension = call.constant_integer(2, "DIM");
    if (dimension < 1 || dimension > 2) call.fail("DIM must be a valid dimension");
    return one(differences(call, value, dimension == 1 ? Axis::rows : Axis::cols, order));
  }
  if (t.is_scalar()) return one(order == 0 ? value : e.nothing());
  const auto along = [&](Axis axis) {
    const Order used = order_of_all(t, axis, order);
    return differences(call, value, used.axis, used.times);
  };
  // Of a matrix without rows Octave takes all differences along its columns: one is left, or none.
  const auto left = [&] {
    return e.chosen(b.map(ScalarOp::ge, b.size(t.cols), b.constant(2, Element::integer)), 1, 0);
  };
  if (order == 1 && t.rows.is(0) && !t.cols.is_constant()) return one(b.fill(b.constant(0, t.element), 0, left()));
  const ValueId found = along_first_long_axis(call, t, along);
  const bool some_rows = e.facts.nonnegative(e.graph, t.rows - 1);
  if (order != 1 || (some_rows && (e.facts.not_one(e.graph, t.rows) || e.facts.not_one(e.graph, t.cols))) ||
      (t.rows.is_constant() && t.cols.is_constant()))
    return one(found);
  // What the run finds to be 1x1 leaves 0x0, what it finds to have no rows as above.
  const auto both = [&](ValueId x, ValueId y) { return b.map(ScalarOp::logical_and, x, y); };
  const ValueId single = both(e.equal_sizes(t.rows, 1), e.equal_sizes(t.cols, 1));
  const ValueId none = b.map(ScalarOp::logical_or, e.equal_sizes(t.rows, 0), single);
  const Type shape = call.type(found);
  const Size rows = e.chosen(none, 0, shape.rows), cols = e.chosen(none, left(), shape.cols);
  const Subscripts leading{{{SubscriptKind::range, 0, 1, rows}, {SubscriptKind::range, 0, 1, cols}}};
  return one(b.index(found, leading, {}, rows, cols));
}

}  // namespace

std::span<const Builtin> scan_builtins() {
  static constexpr Builtin entries[] = {
      {"cumsum", 1, 3, 1, cumsum}, {"cumprod", 1, 2, 1, cumprod}, {"cummax", 1, 2, 2, cummax},
      {"cummin", 1, 2, 2, cummin}, {"diff", 1, 3, 1, diff},
  };
  return entries;
}

}  // namespace lac::frontend
