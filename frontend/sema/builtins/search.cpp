// find, lookup, positions from subscripts and back, accumarray: values that say where others are.
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/messages.h"
#include "frontend/sema/values/subscripts.h"
#include "ir/types/extent.h"

namespace lac::frontend {
namespace {

/// `count` leading or trailing of the positions found; a row stays a row.
ValueId some_positions(Call& call, ValueId positions) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const Type found = call.type(positions);
  bool last = false;
  if (call.count() > 2) {
    const std::string& direction = call.text(2);
    if (direction != "first" && direction != "last") call.fail("DIRECTION must be \"first\" or \"last\"");
    last = direction == "last";
  }
  if (e.constant_of(call.matrix(1)) == std::numeric_limits<double>::infinity()) return positions;
  const std::string whole = "find: N must be a non-negative integer";
  const ValueId number = as_integer(e, call.scalar(1), whole);
  e.require(b.map(ScalarOp::ge, number, b.constant(0, Element::integer)), whole, {});
  const Size wanted = as_size(e.graph, number), length = found.count();
  const Size count = e.max0(wanted - e.max0(wanted - length));  // min(wanted, found)
  const Subscripts part{{{SubscriptKind::range, last ? length - count : Size(0), 1, count}}};
  const auto [rows, cols] = laid_like(e, found, count);
  return b.index(positions, part, {}, rows, cols);
}

/// The positions in what has no elements. Octave keeps 0x0 and 1x0, and gives a column otherwise.
ValueId no_positions(Call& call, const Type& t) {
  Emitter& e = call.emit;
  Size rows = 0, cols = 1;
  if (t.rows.is(0)) {
    cols = e.at_most_one(t.cols);
  } else {
    const ValueId one = e.builder.constant(1, Element::integer), extent = e.builder.size(t.rows);
    rows = e.chosen(e.builder.map(ScalarOp::eq, extent, one), 1, 0);
    cols = e.chosen(e.builder.map(ScalarOp::gt, extent, one), 1, 0);
  }
  return e.builder.fill(e.builder.constant(0, Element::integer), rows, cols);
}

/// The positions that are found in 0x0 are 0x0, but 0x1 in a logical matrix of which no more is asked than these.
ValueId as_of_square_nothing(Call& call, ValueId positions, const Type& t) {
  Emitter& e = call.emit;
  if (t.is_scalar()) return positions;
  const bool plain = call.nargout < 2 && call.count() == 1;
  const ValueId nothing = e.is_zero_by_zero(t);
  const Type found = call.type(positions);
  const Size cols = e.chosen(nothing, plain && t.element == Element::logical ? 1 : 0, found.cols);
  return cols == found.cols ? positions : e.builder.reshape(positions, found.rows, cols);
}

// i = find(x[, n[, "first" | "last"]]); [i, j, v] = find(...)
std::vector<Binding> find(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const ValueId value = call.dense(0);
  const Type t = call.type(value);
  ValueId positions;
  if (t.rows.is(0) || t.cols.is(0)) {
    positions = no_positions(call, t);
  } else {
    positions = find_positions(e, nonzero_mask(call, value));
    if (call.count() > 1) positions = some_positions(call, positions);
  }
  positions = as_of_square_nothing(call, positions, t);
  if (call.nargout < 2) return one(positions);
  const Type found = call.type(positions);
  const ValueId unit = b.constant(1, Element::integer), rows = b.size(t.rows);
  const ValueId before = b.map(ScalarOp::sub, positions, unit);
  const ValueId row = b.map(ScalarOp::add, b.map(ScalarOp::mod, before, rows), unit);
  const ValueId quotient = b.map(ScalarOp::div, b.convert(before, Element::real), b.convert(rows, Element::real));
  const ValueId col = b.map(ScalarOp::add, b.convert(b.map(ScalarOp::floor, quotient), Element::integer), unit);
  if (call.nargout == 2) return {Binding::matrix(row), Binding::matrix(col)};
  const Subscripts gathered{{{SubscriptKind::vector, 0, 1, found.count()}}};
  const ValueId values = b.index(value, gathered, {positions}, found.rows, found.cols);
  return {Binding::matrix(row), Binding::matrix(col), Binding::matrix(values)};
}

std::vector<Binding> lookup(Call& call) {
  Emitter& e = call.emit;
  const ValueId table = vector_argument(call, 0, "TABLE must be a vector"), y = call.dense(1);
  const Type t = call.type(y);
  return one(e.builder.library(LibraryFn::lookup, {table, y}, {Type::matrix(Element::integer, t.rows, t.cols)})[0]);
}

/// The two extents of DIMS.
std::pair<Size, Size> extents(Call& call) {
  Emitter& e = call.emit;
  const ValueId dims = call.dense(0);
  const bool of_subscripts = call.name != "accumarray";
  const auto extent = [&](ValueId value, bool clamp) {
    if (of_subscripts) {
      const ValueId zero = e.builder.constant(0, Element::integer);
      const ValueId whole = elementwise(e, ScalarOp::eq, {value, elementwise(e, ScalarOp::fix, {value}, call.span, "")},
                                        call.span, call.name);
      const ValueId fine = e.builder.map(ScalarOp::logical_and, whole,
                                         elementwise(e, ScalarOp::ge, {value, zero}, call.span, call.name));
      const std::string message = call.name + ": dimension vector DIMS must contain integers";
      if (e.constant_of(fine) == 0.0) e.fail(call.span, message);
      e.require(fine, message, {});
    }
    return to_size(e, value, call.span, clamp);
  };
  if (const auto written = written_elements(e, dims); written && written->size() == 2)
    return {extent((*written)[0], false), extent((*written)[1], false)};
  if (call.type(dims).is_scalar() && of_subscripts) return {extent(dims, false), 1};
  if (!call.type(dims).count().is(2)) call.fail("DIMS must have two elements");
  const auto element = [&](std::int64_t k) {
    return extent(e.builder.index(dims, Subscripts{{{SubscriptKind::range, k, 1, 1}}}, {}, 1, 1), true);
  };
  const Size rows = element(0);
  return {rows, element(1)};
}

std::vector<Binding> sub2ind(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const auto [rows, cols] = extents(call);
  const Type t = Type::matrix(Element::integer, rows, cols);
  const ValueId i = call.dense(1);
  if (call.count() == 2) {
    check_positions(e, i, rows * cols, "", 0, 1, t);
    return one(b.convert(i, Element::integer));
  }
  const ValueId j = call.dense(2);
  const std::string mismatch = "sub2ind: all subscripts must be of the same size";
  require_equal(e, call.type(i).rows, call.type(j).rows, call.span, mismatch, {}, mismatch);
  require_equal(e, call.type(i).cols, call.type(j).cols, call.span, mismatch, {}, mismatch);
  check_positions(e, i, rows, "", 0, call.count() - 1, t);
  check_positions(e, j, cols, "", 1, call.count() - 1, t);
  for (std::size_t k = 3; k < call.count(); ++k) check_positions(e, call.dense(k), 1, "", k - 1, call.count() - 1, t);
  const ValueId columns = b.map(ScalarOp::sub, b.convert(j, Element::integer), b.constant(1, Element::integer));
  return one(b.map(ScalarOp::add, b.map(ScalarOp::mul, columns, b.size(rows)), b.convert(i, Element::integer)));
}

std::vector<Binding> ind2sub(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const auto [rows, cols] = extents(call);
  const ValueId given = call.dense(1);
  const ValueId unit = b.constant(1, Element::integer);
  e.require(all_true(call, elementwise(e, ScalarOp::ge, {given, unit}, call.span, ">=")),
            "ind2sub: invalid index: subscripts must be either integers 1 to (2^63)-1 or logicals", {},
            "Octave:index-out-of-bounds");
  if (is_floating(call.type(given).element))
    e.require(all_true(call, b.map(ScalarOp::eq, given, b.map(ScalarOp::fix, given))),
              "ind2sub: invalid index: subscripts must be either integers 1 to (2^63)-1 or logicals", {},
              "Octave:bad-index");
  e.require(all_true(call, elementwise(e, ScalarOp::le, {given, b.size(rows * cols)}, call.span, "<=")),
            "ind2sub: index out of range", {}, "Octave:index-out-of-bounds");
  const ValueId position = b.convert(given, Element::integer);
  if (call.nargout < 2) return one(position);
  const ValueId before = b.map(ScalarOp::sub, position, unit);
  const ValueId row = b.map(ScalarOp::add, b.map(ScalarOp::mod, before, b.size(rows)), unit);
  const ValueId quotient =
      b.map(ScalarOp::div, b.convert(before, Element::real), b.convert(b.size(rows), Element::real));
  const ValueId col = b.map(ScalarOp::add, b.convert(b.map(ScalarOp::floor, quotient), Element::integer), unit);
  std::vector<Binding> results = {Binding::matrix(row), Binding::matrix(col)};
  const Type t = call.type(position);
  for (int i = 2; i < call.nargout; ++i) results.push_back(Binding::matrix(b.fill(unit, t.rows, t.cols)));
  return results;
}

enum class Accumulation { sum, prod, min, max };  // in the order of the step's codes

/// @max, or @(x) max(x); nothing for other functions.
std::optional<Accumulation> accumulation(Call& call) {
  if (call.count() < 4 || call.is_empty_literal(3)) return Accumulation::sum;
  if (!call.args[3].is_function()) call.fail("FCN must be a function handle");
  const Closure& closure = *call.args[3].function;
  std::string name = closure.name;
  if (closure.anonymous && closure.anonymous->params.size() == 1) {
    const auto* body = std::get_if<ast::Index>(&strip_parens(*closure.anonymous->body).node);
    const auto* callee = body ? std::get_if<ast::Identifier>(&body->callee->node) : nullptr;
    const auto* argument =
        body && body->args.size() == 1 ? std::get_if<ast::Identifier>(&body->args[0]->node) : nullptr;
    if (callee && argument && argument->name == closure.anonymous->params[0].name.text) name = callee->name;
  }
  constexpr std::pair<std::string_view, Accumulation> known[] = {
      {"sum", Accumulation::sum}, {"prod", Accumulation::prod}, {"min", Accumulation::min}, {"max", Accumulation::max}};
  for (const auto& [candidate, kind] : known)
    if (name == candidate) return kind;
  return std::nullopt;
}

/// What cells without a value hold. Octave 7 ignores the given filler for @min and @max: it leaves NaN, except that
/// with the filler 0 values of one sign (>= 0 for @max, <= 0 for @min) leave 0. Anonymous functions take the filler.
ValueId filler(Call& call, Accumulation kind, ValueId values) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const ValueId zero = b.constant(0, Element::integer);
  const ValueId given = call.count() > 4 && !call.is_empty_literal(4) ? call.scalar(4) : zero;
  const bool extreme = kind == Accumulation::min || kind == Accumulation::max;
  if (!extreme || call.args[3].function->anonymous) return given;
  const ValueId nan = b.constant(std::numeric_limits<double>::quiet_NaN(), e.graph.precision);
  const ScalarOp wanted = kind == Accumulation::max ? ScalarOp::ge : ScalarOp::le;
  const ValueId fits = elementwise(e, wanted, {values, zero}, call.span, ">=");
  const ValueId plain =
      b.map(ScalarOp::logical_and, all_true(call, fits), elementwise(e, ScalarOp::eq, {given, zero}, call.span, "=="));
  if (const auto known = e.constant_of(plain)) return *known != 0 ? zero : nan;
  return b.map(ScalarOp::select, plain, b.convert(zero, e.graph.precision), nan);
}

/// Column k of the subscripts, checked.
ValueId subscript(Call& call, ValueId subs, const Size& k) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const Type t = call.type(subs);
  const Subscripts column{{{SubscriptKind::all, 0, 1, t.rows}, {SubscriptKind::range, k, 1, 1}}};
  const ValueId part = t.cols.is(1) ? subs : b.index(subs, column, {}, t.rows, 1);
  const auto is_position = [](double number) { return number >= 1 && number < 0x1p63 && number == std::trunc(number); };
  if (const auto known = numbers_of(e, part); known && std::ranges::all_of(*known, is_position))
    return b.convert(part, Element::integer);
  const std::string positive = "accumarray: indices must be positive integers";
  e.require(all_true(call, elementwise(e, ScalarOp::ge, {part, b.constant(1, Element::integer)}, call.span, ">=")),
            positive, {});
  if (is_floating(t.element)) {
    const ValueId whole = b.map(ScalarOp::eq, part, b.map(ScalarOp::fix, part));
    const ValueId ends = elementwise(e, ScalarOp::lt, {part, b.constant(0x1p63, e.graph.precision)}, call.span, "<");
    e.require(all_true(call, b.map(ScalarOp::logical_and, whole, ends)), positive, {});
  }
  return b.convert(part, Element::integer);
}

/// The largest subscript, as an extent; 0 when there is none.
Size largest(Call& call, ValueId positions) {
  Emitter& e = call.emit;
  const Type t = call.type(positions);
  if (t.rows.is(0)) return 0;
  if (const auto known = numbers_of(e, positions)) return size_of_number(std::ranges::max(*known));
  const ValueId most = t.is_scalar() ? positions : e.builder.reduce(positions, {ReduceOp::max, Axis::all});
  const Size size = as_size(e.graph, most);
  if (const auto symbol = size.as_symbol()) e.graph.symbols[*symbol].lower = 0;
  return size;
}

// accumarray(subs, vals[, sz[, fcn[, fill[, is_sparse]]]])
std::vector<Binding> accumarray(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const ValueId subs = call.dense(0);
  ValueId values = call.dense(1);
  const Type ts = call.type(subs);
  const ValueId unit = b.constant(1, Element::integer);
  const ValueId flat = e.equal_sizes(ts.cols, 1);  // positions, else rows and columns
  require_equal(e, e.chosen(flat, 2, ts.cols), 2, call.span,
                "accumarray: SUBS must have one or two columns, but is " + shape_text(e, subs) +
                    ": how many columns there are must be known while the program is compiled",
                {ts.rows, ts.cols}, "accumarray: SUBS must have one or two columns, but is %dx%d");
  const ValueId rows = subscript(call, subs, 0);
  ValueId cols = unit;
  if (e.constant_of(flat) != 1.0)
    cols = b.map(ScalarOp::select, flat, unit, subscript(call, subs, e.chosen(flat, 0, 1)));
  const Size given = call.type(values).count();
  const std::string mismatch = "accumarray: dimension mismatch";
  const Misfit misfit = {e.facts.distinct(e.graph, given, ts.rows), mismatch, {}, {}, {{given, ts.rows}}};
  values = filling(e, values, ts.rows, 1, misfit, [&] {
    require_equal(e, given, ts.rows, call.span, mismatch, {}, mismatch);
    return e.builder.reshape(values, ts.rows, 1);
  });
  Size m = 0, n = 1;
  if (call.count() > 2 && !call.is_empty_literal(2)) {
    Call sized{e, call.walk, call.name, {call.args[2]}, 1, call.span};
    std::tie(m, n) = extents(sized);
    const std::string outside = "accumarray: index out of range";
    const auto inside = [&](ValueId positions, const Size& extent) {
      e.require(all_true(call, b.map(ScalarOp::le, positions, b.size(extent))), outside, {});
    };
    inside(rows, e.chosen(flat, m * n, m));
    inside(cols, n);
  } else {
    m = largest(call, rows);
    if (e.constant_of(flat) != 1.0) n = e.chosen(flat, 1, largest(call, cols));
  }
  const ValueId positions =
      b.map(ScalarOp::add, b.map(ScalarOp::mul, b.map(ScalarOp::sub, cols, unit), b.size(m)), rows);
  const std::optional<Accumulation> known = accumulation(call);
  if (!known) {
    const bool fills = call.count() > 4 && !call.is_empty_literal(4);
    std::vector<Binding> arguments = {Binding::matrix(positions), Binding::matrix(values), Binding::matrix(b.size(m)),
                                      Binding::matrix(b.size(n)), call.args[3]};
    if (fills) arguments.push_back(Binding::matrix(call.scalar(4)));
    else if (call.type(positions).count().is(0))  // of no class that f would give
      arguments.push_back(Binding::matrix(b.constant(0, e.graph.precision)));
    return call.walk.call_by_name("accumarray_by_groups", std::move(arguments), 1, call.span);
  }
  const Accumulation kind = *known;
  const ValueId fill = filler(call, kind, values);
  const Element own = arithmetic_join(call.type(values).element, call.type(values).element);
  const Element element = join(own, arithmetic_join(call.type(fill).element, call.type(fill).element));
  Type cells = Type::matrix(element, m, n);
  const ValueId full = b.library(LibraryFn::accumulate,
                                 {positions, b.convert(values, element), b.convert(fill, element),
                                  b.constant(static_cast<double>(kind), Element::integer)},
                                 {cells})[0];
  if (call.count() < 6 || e.constant_of(call.scalar(5)).value_or(1) == 0) return one(full);
  cells.storage = Storage::csr;
  return one(b.library(LibraryFn::sparse_convert, {full}, {cells})[0]);
}

}  // namespace

std::span<const Builtin> search_builtins() {
  static constexpr Builtin entries[] = {
      {"find", 1, 3, 3, find},       {"lookup", 2, 2, 1, lookup},         {"sub2ind", 2, 8, 1, sub2ind},
      {"ind2sub", 2, 2, 8, ind2sub}, {"accumarray", 2, 6, 1, accumarray},
  };
  return entries;
}

}  // namespace lac::frontend
