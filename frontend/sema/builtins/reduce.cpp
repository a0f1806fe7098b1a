// sum, max, cumsum, ...: functions of a whole axis.
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/elementwise.h"

namespace lac::frontend {
namespace {

// A sum begins with 0, so that of -0 alone is 0.
ValueId begun(Call& call, ReduceOp op, ValueId value) {
  Builder& b = call.emit.builder;
  const Element element = call.type(value).element;
  const bool number = op == ReduceOp::sum && element != Element::logical;
  return number ? b.map(ScalarOp::add, value, b.constant(0, element)) : value;
}

/// any and all of a vector that is known, so that what hangs on them is: any(strcmp(name, {"a", "b"})).
std::optional<bool> known_truth(Call& call, ReduceOp op, ValueId value, Axis axis) {
  constexpr std::size_t most = 64;
  const Type t = call.type(value);
  const bool of_vector = axis == Axis::all || (axis == Axis::rows ? t.cols : t.rows).is(1);
  if ((op != ReduceOp::any && op != ReduceOp::all) || !of_vector) return std::nullopt;
  if (axis == Axis::all && t.count().is(0)) return op == ReduceOp::all;
  const auto numbers = numbers_of(call.emit, value);
  if (!numbers || numbers->empty() || numbers->size() > most) return std::nullopt;
  const auto holds = [](double number) { return number != 0; };
  return op == ReduceOp::any ? std::ranges::any_of(*numbers, holds) : std::ranges::all_of(*numbers, holds);
}

ValueId reduce(Call& call, ReduceOp op, ValueId value, Axis axis) {
  const Type t = call.type(value);
  Builder& b = call.emit.builder;
  if (t.is_scalar()) {  // sum(5) is 5, any(5) is true
    if (op == ReduceOp::any || op == ReduceOp::all) return b.map(ScalarOp::ne, value, b.constant(0, t.element));
    return begun(call, op, b.convert(value, arithmetic_join(t.element, t.element)));
  }
  const Element sum_element = arithmetic_join(t.element, t.element);
  if (op == ReduceOp::sum && (axis == Axis::rows ? t.rows : t.cols).is(1) && axis != Axis::all)
    return begun(call, op, b.convert(value, sum_element));
  if (const auto known = known_truth(call, op, value, axis)) return b.constant(*known ? 1 : 0, Element::logical);
  return b.reduce(value, {op, axis});
}

// Down its columns, a 0x0 matrix counts as 0x1: sum(zeros(0, 0), 1) is 0. Nothing is done where it cannot be 0x0.
ValueId never_empty_square(Call& call, ValueId value) {
  Emitter& e = call.emit;
  const Type t = call.type(value);
  const auto has_some = [&](const Size& extent) { return e.facts.nonnegative(e.graph, extent - 1); };
  if (has_some(t.rows) || has_some(t.cols)) return value;
  const ValueId empty = e.is_zero_by_zero(t);
  const Size cols = e.chosen(empty, 1, t.cols);
  return e.builder.reshape(value, t.rows, cols);
}

bool empty_square_has_sum(std::string_view name) { return name != "max" && name != "min" && name != "dot"; }

constexpr const char* invalid_dimension = "DIM must be a valid dimension";

/// The axis of argument `argument`, or the default one; none: every element stands alone.
std::optional<Axis> axis_of(Call& call, ValueId& value, std::size_t argument, const std::string& complaint) {
  if (call.count() <= argument) return default_axis(call, value);
  const auto axis = any_dimension(call, argument, complaint);
  if (axis == Axis::rows && empty_square_has_sum(call.name)) value = never_empty_square(call, value);
  return axis;
}

// A vector reduced along its unit axis is itself; the reduce op takes care of that.
ValueId reduce_along(Call& call, ReduceOp op, ValueId value, const std::optional<Axis>& axis) {
  if (axis) return reduce(call, op, value, *axis);
  Builder& b = call.emit.builder;
  const Element element = call.type(value).element;
  if (op == ReduceOp::any || op == ReduceOp::all) return b.map(ScalarOp::ne, value, b.constant(0, element));
  return begun(call, op, b.convert(value, arithmetic_join(element, element)));
}

// sum(x, dim, "native"): a logical x stays logical; "double" and, of sum, "extra" compute in double.
std::vector<Binding> additive(Call& call, ReduceOp op) {
  const auto option = take_option(call);
  const bool doubled = option == "double" || (option == "extra" && op == ReduceOp::sum);
  if (option && *option != "native" && !doubled) call.fail("unrecognized type argument '" + *option + "'");
  if (call.count() > 2) call.fail("Invalid call to " + call.name);
  ValueId value = call.dense(0);
  if (doubled && call.type(value).element == Element::single) value = call.emit.builder.convert(value, Element::real);
  if (option == "native" && call.type(value).element == Element::logical)
    op = op == ReduceOp::sum ? ReduceOp::any : ReduceOp::all;
  const auto axis = axis_of(call, value, 1, "invalid dimension DIM =");
  return one(reduce_along(call, op, value, axis));
}

std::vector<Binding> sum(Call& call) { return additive(call, ReduceOp::sum); }
std::vector<Binding> prod(Call& call) { return additive(call, ReduceOp::prod); }

std::vector<Binding> any(Call& call) {  // a NaN counts as false here, as true for all
  ValueId value = call.dense(0);
  const Element element = call.type(value).element;
  Builder& b = call.emit.builder;
  if (is_floating(element)) value = b.map(ScalarOp::gt, b.map(ScalarOp::abs, value), b.constant(0, element));
  const auto axis = axis_of(call, value, 1, "invalid dimension argument =");
  return one(reduce_along(call, ReduceOp::any, value, axis));
}

std::vector<Binding> all(Call& call) {
  ValueId value = call.dense(0);
  const auto axis = axis_of(call, value, 1, "invalid dimension argument =");
  return one(reduce_along(call, ReduceOp::all, value, axis));
}

std::vector<Binding> sumsq(Call& call) {
  ValueId value = call.dense(0);
  const auto axis = axis_of(call, value, 1, "invalid dimension DIM =");
  const ValueId squares = elementwise(call.emit, ScalarOp::mul, {value, value}, call.span, "sumsq");
  return one(reduce_along(call, ReduceOp::sum, squares, axis));
}

/// The first elements of a reduction along an axis that may have none: Octave leaves such an axis as it is.
ValueId leading(Call& call, ValueId value, const Size& rows, const Size& cols) {
  const Type t = call.type(value);
  if (t.rows == rows && t.cols == cols) return value;
  return call.emit.builder.index(
      value, Subscripts{{{SubscriptKind::range, 0, 1, rows}, {SubscriptKind::range, 0, 1, cols}}}, {}, rows, cols);
}

// The extremes of logicals are logical.
ValueId as_logical(Call& call, ValueId value) {
  return call.emit.builder.map(ScalarOp::ne, value, call.emit.builder.constant(0, call.type(value).element));
}

std::vector<Binding> extreme(Call& call) {
  const bool is_max = call.name == "max";
  const ReduceOp op = is_max ? ReduceOp::max : ReduceOp::min;
  Emitter& e = call.emit;
  if (call.count() == 2 || (call.count() == 3 && !call.is_empty_literal(1))) {
    if (call.count() == 3) {
      Message message;
      message.stream = Stream::err;
      message.format = call.name + ": second argument is ignored";
      e.builder.warn(e.builder.constant(0, Element::logical), std::move(message), {});
      call.args[1] = Binding::matrix(e.nothing());
      return extreme(call);
    }
    if (call.nargout > 1) call.fail("2 output arguments are not supported for two matrices");
    // Of 0 and -0 it is the first, and Octave's second where the first is a scalar: max(0, x) is x where x is -0.
    const bool second = call.args[0].is_matrix() && call.type(call.args[0].value).is_scalar();
    const ValueId x = call.dense(second ? 1 : 0), y = call.dense(second ? 0 : 1);
    const ValueId value = elementwise(e, is_max ? ScalarOp::max : ScalarOp::min, {x, y}, call.span, call.name);
    const bool logical = call.type(x).element == Element::logical && call.type(y).element == Element::logical;
    return one(logical ? as_logical(call, value) : value);
  }
  ValueId value = call.dense(0);
  Type t = call.type(value);
  Builder& b = e.builder;
  if (t.element == Element::logical) {
    call.args[0] = Binding::matrix(b.convert(value, Element::integer));
    std::vector<Binding> results = extreme(call);
    // One result of nothing is the operand, as Octave has it.
    const bool itself = call.nargout < 2 && (t.rows.is(0) || t.cols.is(0));
    results[0] = Binding::matrix(itself ? value : as_logical(call, results[0].value));
    return results;
  }
  const Type given = t;
  const auto chosen = axis_of(call, value, 2, invalid_dimension);
  t = call.type(value);
  if (!chosen)
    return {Binding::matrix(value), Binding::matrix(b.fill(b.constant(1, Element::integer), t.rows, t.cols))};
  const Axis axis = *chosen;
  const Size extent = axis == Axis::all ? t.count() : axis == Axis::rows ? t.rows : t.cols;
  if (extent.is(0)) {  // nothing to choose from: Octave leaves the axis as it is
    const ValueId empty = b.fill(b.constant(0, t.element), given.rows, given.cols);
    return {Binding::matrix(empty), Binding::matrix(empty)};
  }
  // What is left of each extent where the run may find that there is nothing to choose from.
  const bool by_rows = call.count() < 3 || axis == Axis::rows, by_cols = call.count() < 3 || axis == Axis::cols;
  Size rows = by_rows ? e.at_most_one(given.rows) : given.rows, cols = by_cols ? e.at_most_one(given.cols) : given.cols;
  if (call.count() < 3 && axis != Axis::all) cols = e.chosen(e.equal_sizes(given.rows, 1), cols, given.cols);
  const auto result = [&](ValueId found) { return Binding::matrix(leading(call, found, rows, cols)); };
  if (call.nargout < 2) return {result(reduce(call, op, value, axis))};
  if (t.is_scalar()) return {Binding::matrix(value), Binding::matrix(b.constant(1, Element::integer))};
  const Builder::ArgResult found = b.arg_reduce(value, {op, axis});
  if (call.type(found.index).is_scalar()) {
    const SymbolId symbol = symbol_of(e.graph, found.index);
    e.graph.symbols[symbol].lower = 1;
    e.facts.at_most(symbol, extent);
  }
  return {result(found.value), result(found.index)};
}

std::vector<Binding> dot(Call& call) {
  Emitter& e = call.emit;
  ValueId x = call.dense(0), y = call.dense(1);
  const Type tx = call.type(x), ty = call.type(y);
  if (tx.element == Element::logical || ty.element == Element::logical) call.fail("X and Y must be numeric");
  if (tx.is_vector() && ty.is_vector()) {
    require_equal(e, tx.count(), ty.count(), call.span, "dot: sizes of X and Y must match", {},
                  "dot: sizes of X and Y must match");
    if (!tx.is_scalar() && !tx.same_shape(ty)) {
      x = e.builder.reshape(x, tx.count(), 1);
      y = e.builder.reshape(y, tx.count(), 1);
    }
  }
  if (!tx.is_vector() || !ty.is_vector()) {
    const std::string message = "dot: sizes of X and Y must match";
    require_equal(e, tx.rows, ty.rows, call.span, message, {}, message);
    require_equal(e, tx.cols, ty.cols, call.span, message, {}, message);
  }
  ValueId product = elementwise(e, ScalarOp::mul, {x, y}, call.span, "dot");
  const Type tp = call.type(product);
  const bool open = call.count() < 3 && !tp.is_vector();
  const bool down = open && e.facts.not_one(e.graph, tp.rows);  // 0x0 gives 1x0
  if (open && !down) {                                          // a row as a column; nothing else changes
    const ValueId row = e.equal_sizes(tp.rows, 1);
    product = e.builder.reshape(product, e.chosen(row, tp.cols, tp.rows), e.chosen(row, 1, tp.cols));
    return one(reduce_along(call, ReduceOp::sum, product, Axis::rows));
  }
  const auto axis = down ? std::optional(Axis::rows) : axis_of(call, product, 2, invalid_dimension);
  return one(reduce_along(call, ReduceOp::sum, product, axis));
}

bool has_several_rows(Call& call, const Type& t) { return call.emit.facts.nonnegative(call.emit.graph, t.rows - 2); }

// mean goes along the first extent above 1, else down the columns. Turns the value so that its columns are what is
// summed (but a row), and gives the shape of the result.
std::pair<Size, Size> longest_down(Call& call, ValueId& value) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const Type t = call.type(value);
  if (t.rows.is(1)) return {1, e.at_most_one(t.cols)};
  const auto compare = [&](ScalarOp op, const Size& size) {
    return b.map(op, b.size(size), b.constant(1, Element::integer));
  };
  const ValueId turned = b.map(ScalarOp::logical_and, compare(ScalarOp::le, t.rows), compare(ScalarOp::gt, t.cols));
  const ValueId nothing = e.is_zero_by_zero(t);
  const Size across = e.chosen(nothing, 1, t.cols);
  value = b.reshape(value, e.chosen(turned, t.cols, t.rows), e.chosen(turned, t.rows, across));
  return {e.chosen(turned, t.rows, 1), e.chosen(turned, 1, across)};
}

// mean(x, dim, opt) with opt "a" (arithmetic), "g" (geometric: exp of the mean logarithm) or "h" (harmonic: the inverse
// of the mean inverse). Here, unlike for sum, the first axis longer than 1 is meant.
std::vector<Binding> mean(Call& call) {
  Emitter& e = call.emit;
  const auto apply = [&](ScalarOp op, const std::vector<ValueId>& operands) {
    return elementwise(e, op, operands, call.span, "mean");
  };
  std::string kind = "a";
  for (std::size_t i = call.count(); i-- > 1;)
    if (call.is_text(i)) {
      kind = call.text(i);
      call.args.erase(call.args.begin() + static_cast<std::ptrdiff_t>(i));
    }
  if (kind != "a" && kind != "g" && kind != "h") call.fail("option \"" + kind + "\" not recognized");
  ValueId value = call.dense(0);
  const Type t = call.type(value);
  const ValueId unit = e.builder.constant(1, Element::integer);
  if (call.count() > 2 || (call.count() == 2 && !call.type(call.dense(1)).is_scalar()))
    call.emit.fail(call.span, "Invalid call to mean.  Correct usage is mean (X, DIM, OPT)");
  if (kind == "g") {
    const ValueId below = apply(ScalarOp::lt, {value, e.builder.constant(0, Element::integer)});
    const ValueId some = t.is_scalar() ? below : e.builder.reduce(below, {ReduceOp::any, Axis::all});
    e.require(e.builder.map(ScalarOp::logical_not, some), "mean: X must not contain any negative values", {});
    value = apply(ScalarOp::log, {value});
  }
  if (kind == "h") value = apply(ScalarOp::div, {unit, value});
  std::optional<Axis> axis;
  Size rows, cols;  // of the result, where the run chooses the axis
  const bool by_run = call.count() < 2 && !t.is_scalar() && !t.cols.is(1) && !has_several_rows(call, t);
  if (by_run) {
    std::tie(rows, cols) = longest_down(call, value);
    axis = t.rows.is(1) ? Axis::all : Axis::rows;
  } else if (call.count() > 1) {
    axis = axis_of(call, value, 1, "DIM must be an integer and a valid dimension");
  } else {
    axis = default_axis(call, value);
  }
  const Type summed = call.type(value);
  const Size count = !axis                ? Size(1)
                     : axis == Axis::all  ? summed.count()
                     : axis == Axis::rows ? summed.rows
                                          : summed.cols;
  ValueId result = apply(ScalarOp::div, {reduce_along(call, ReduceOp::sum, value, axis), e.builder.size(count)});
  if (kind == "g") result = apply(ScalarOp::exp, {result});
  if (kind == "h") result = apply(ScalarOp::div, {unit, result});
  if (by_run && t.rows.is(1)) return one(leading(call, result, 1, cols));
  return one(by_run ? e.builder.reshape(result, rows, cols) : result);
}

// The sum of the main diagonal; of a vector, its first element.
std::vector<Binding> trace(Call& call) {
  Emitter& e = call.emit;
  const ValueId value = call.matrix(0);
  const Type t = call.type(value);
  if (t.is_scalar()) return one(value);
  if (t.is_sparse()) {
    require_equal(e, t.rows, t.cols, call.span, "trace: only valid on square sparse matrix", {},
                  "trace: only valid on square sparse matrix");
    const Type column = Type::matrix(t.element, t.rows, 1);
    return one(
        reduce(call, ReduceOp::sum, e.builder.library(LibraryFn::sparse_diagonal, {value}, {column})[0], Axis::all));
  }
  Size length = e.facts.less_equal(e.graph, t.rows, t.cols) ? t.rows : t.cols;
  if (!e.facts.less_equal(e.graph, length, t.rows)) length = t.rows - e.max0(t.rows - t.cols);
  return one(reduce(call, ReduceOp::sum, e.builder.diagonal(value, 0, length), Axis::all));
}

}  // namespace

std::span<const Builtin> reduce_builtins() {
  static constexpr Builtin entries[] = {
      {"sum", 1, 3, 1, sum},     {"prod", 1, 3, 1, prod},   {"any", 1, 2, 1, any},     {"all", 1, 2, 1, all},
      {"sumsq", 1, 2, 1, sumsq}, {"max", 1, 3, 2, extreme}, {"min", 1, 3, 2, extreme}, {"dot", 2, 3, 1, dot},
      {"mean", 1, 3, 1, mean},   {"trace", 1, 1, 1, trace},
  };
  return entries;
}

}  // namespace lac::frontend
