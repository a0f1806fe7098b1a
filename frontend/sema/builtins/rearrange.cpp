// flips, shifts, concatenation, orders: values in other places.
#include <algorithm>
#include <cmath>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/builtins/unique_options.h"
#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/elementwise.h"
#include "frontend/sema/values/operators.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/strings.h"
#include "frontend/sema/values/subscripts.h"
#include "ir/types/extent.h"

namespace lac::frontend {
namespace {

constexpr const char* whole_shift = "circshift: all values of N must be integers";

ValueId flipped(Call& call, ValueId value, Axis axis) {
  const Type t = call.type(value);
  Subscript rows{SubscriptKind::all, 0, 1, t.rows}, cols{SubscriptKind::all, 0, 1, t.cols};
  if (axis == Axis::rows) rows = {SubscriptKind::range, t.rows - 1, -1, t.rows};
  else cols = {SubscriptKind::range, t.cols - 1, -1, t.cols};
  return call.emit.builder.index(value, Subscripts{{rows, cols}}, {}, t.rows, t.cols);
}

std::vector<Binding> fliplr(Call& call) { return one(flipped(call, call.dense(0), Axis::cols)); }
std::vector<Binding> flipud(Call& call) { return one(flipped(call, call.dense(0), Axis::rows)); }

/// `move` along the axis of argument i, else along the first one longer than 1: rows unless the value is a row, which
/// the run may decide.
ValueId along_axis(Call& call, std::size_t i, ValueId value, const std::function<ValueId(Axis)>& move) {
  Emitter& e = call.emit;
  const Type t = call.type(value);
  if (call.count() > i && !call.is_empty_literal(i)) {
    const std::int64_t dimension = call.constant_integer(i, "DIM");
    if (dimension < 1) call.fail("DIM must be a valid dimension");
    return dimension > 2 ? value : move(dimension == 1 ? Axis::rows : Axis::cols);
  }
  if (t.rows.is(1)) return move(Axis::cols);
  if (t.cols.is(1) || e.facts.not_one(e.graph, t.rows)) return move(Axis::rows);
  return branch_value(
      e, e.equal_sizes(t.rows, 1), [&] { return move(Axis::cols); }, [&] { return move(Axis::rows); });
}

std::vector<Binding> flip(Call& call) {
  const ValueId value = call.dense(0);
  return one(along_axis(call, 1, value, [&](Axis axis) { return flipped(call, value, axis); }));
}

/// Element i of the result along the axis is element mod(i - n, extent) of the value: of a matrix by a gather of rows
/// or columns, of a vector as a slice of the vector written twice, which needs no index vector.
ValueId shifted(Call& call, ValueId value, Axis axis, ValueId n) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const Type t = call.type(value);
  const Size extent = axis == Axis::rows ? t.rows : t.cols;
  const ValueId by = as_integer(e, as_scalar(e, n, call.span, call.name + ": N"), whole_shift);
  if (extent.is(0) || extent.is(1)) return value;
  const ValueId count = b.size(extent);
  if (!t.is_vector()) {
    const ValueId from = b.map(ScalarOp::mod, b.map(ScalarOp::sub, b.iota(Axis::rows, extent, 1), by), count);
    const ValueId positions = b.map(ScalarOp::add, from, b.constant(1, Element::integer));
    const Subscript gathered{SubscriptKind::vector, 0, 1, extent};
    Subscripts places{{{SubscriptKind::all, 0, 1, t.rows}, {SubscriptKind::all, 0, 1, t.cols}}};
    places.axes[axis == Axis::rows ? 0 : 1] = gathered;
    return b.index(value, places, {positions}, t.rows, t.cols);
  }
  const Size first = as_size(e.graph, b.map(ScalarOp::mod, b.map(ScalarOp::neg, by), count));
  if (const auto symbol = first.as_symbol()) {
    e.graph.symbols[*symbol].lower = 0;
    e.facts.at_most(*symbol, extent);
  }
  const Subscripts twice{{{SubscriptKind::all, 0, 1, t.count()}, {SubscriptKind::range, 0, 0, 2}}};
  const ValueId doubled = b.index(b.reshape(value, t.count(), 1), twice, {}, t.count(), 2);
  const Subscripts part{{{SubscriptKind::range, first, 1, t.count()}}};
  return b.reshape(b.index(b.reshape(doubled, t.count() * 2, 1), part, {}, t.count(), 1), t.rows, t.cols);
}

std::vector<Binding> circshift(Call& call) {
  Emitter& e = call.emit;
  const ValueId value = call.dense(0), n = call.dense(1);
  const Type t = call.type(value), tn = call.type(n);
  if (t.rows.is(0) || t.cols.is(0)) return one(value);
  if (call.count() > 2 && !tn.is_scalar()) call.fail("N must be a scalar when DIM is also specified");
  if (tn.is_scalar()) return one(along_axis(call, 2, value, [&](Axis axis) { return shifted(call, value, axis, n); }));
  if (!tn.is_vector() || !tn.count().is(2))
    call.fail("N must be a vector, no longer than the number of dimensions in X");
  const auto element = [&](std::int64_t k) {
    return e.builder.index(n, Subscripts{{{SubscriptKind::range, k, 1, 1}}}, {}, 1, 1);
  };
  return one(shifted(call, shifted(call, value, Axis::rows, element(0)), Axis::cols, element(1)));
}

// Quarter turns, counterclockwise.
std::vector<Binding> rot90(Call& call) {
  const ValueId value = call.dense(0);
  if (call.count() > 1)
    if (const auto k = call.emit.constant_of(call.matrix(1));
        k ? *k != std::trunc(*k) : !call.type(call.matrix(1)).is_scalar())
      call.fail("K must be a single real integer");
  const std::int64_t turns = call.count() > 1 ? call.constant_integer(1, "K") : 1;
  switch (((turns % 4) + 4) % 4) {
    case 1: return one(flipped(call, transpose(call.emit, value), Axis::rows));
    case 2: return one(flipped(call, flipped(call, value, Axis::rows), Axis::cols));
    case 3: return one(transpose(call.emit, flipped(call, value, Axis::rows)));
    default: return one(value);
  }
}

std::vector<Binding> permute(Call& call) {
  const ValueId value = call.dense(0), order = call.matrix(1);
  std::vector<std::int64_t> axes;
  if (const auto numbers = numbers_of(call.emit, order); numbers && !call.type(order).is_scalar())
    for (double number : *numbers) axes.push_back(number == std::trunc(number) ? size_of_number(number) : 0);
  else if (const auto range = call.emit.facts.ranges.find(order);
           range != call.emit.facts.ranges.end() && range->second.count.is_constant())
    for (std::int64_t i = 0; i < range->second.count.constant(); ++i) {
      const Size axis = range->second.first + range->second.step * i;
      axes.push_back(axis.is_constant() ? axis.constant() : 0);
    }
  if (axes.size() < 2) call.fail("PERM must be written out, such as [2 1]");
  for (std::size_t i = 2; i < axes.size(); ++i)
    if (axes[i] != static_cast<std::int64_t>(i) + 1) call.fail("PERM must be known while the program is compiled");
  if (axes[0] == 1 && axes[1] == 2) return one(value);
  if (axes[0] == 2 && axes[1] == 1) return one(transpose(call.emit, value));
  call.fail(axes[0] == axes[1] ? "permutation vector cannot contain identical elements"
                               : "permutation vector contains an invalid element");
}

std::vector<Binding> joined(Call& call, Axis axis, std::size_t first) {
  const std::vector<Binding> given(call.args.begin() + static_cast<std::ptrdiff_t>(first), call.args.end());
  if (std::ranges::any_of(given, &Binding::is_text)) {
    if (axis == Axis::cols) return {join_strings(call.emit, given, call.span)};
    if (!std::ranges::all_of(given, &Binding::is_text))
      call.fail("strings and numbers below each other are outside the language: char(x) makes characters of numbers");
    return {stack_strings(call.emit, given, call.span)};
  }
  std::vector<ValueId> parts;
  for (std::size_t i = first; i < call.count(); ++i) parts.push_back(call.matrix(i));
  return one(parts.empty() ? call.emit.nothing() : concatenate(call.emit, parts, axis, call.span));
}

std::vector<Binding> horzcat(Call& call) { return joined(call, Axis::cols, 0); }
std::vector<Binding> vertcat(Call& call) { return joined(call, Axis::rows, 0); }
std::vector<Binding> cat(Call& call) { return joined(call, dimension_axis(call, 0), 1); }

Type no_positions() { return Type::matrix(Element::integer, 0, 0); }

// sort(x[, dim][, "ascend" | "descend"])
std::vector<Binding> sort(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const ValueId value = call.dense(0);
  const Type t = call.type(value);
  std::size_t given = call.count();
  bool descending = false;
  if (given > 1 && call.is_text(given - 1)) {
    const std::string& mode = call.text(--given);
    if (mode != "ascend" && mode != "descend") call.fail("MODE must be either \"ascend\" or \"descend\"");
    descending = mode == "descend";
  }
  if (given > 2) call.fail("MODE must be a string");
  std::int64_t dimension = given > 1 ? call.constant_integer(1, "DIM") : 0;
  if (given > 1 && dimension < 1) call.fail("DIM must be a valid dimension");
  const bool alone =
      t.is_scalar() || dimension > 2 || (dimension == 1 && t.rows.is(1)) || (dimension == 2 && t.cols.is(1));
  if (alone) {
    const ValueId first = b.constant(1, Element::integer);
    return {Binding::matrix(value), Binding::matrix(t.is_scalar() ? first : b.fill(first, t.rows, t.cols))};
  }
  const Type positions = call.nargout > 1 ? Type::matrix(Element::integer, t.rows, t.cols) : no_positions();
  const auto results = b.library(LibraryFn::sort,
                                 {value, b.constant(static_cast<double>(dimension), Element::integer),
                                  b.constant(descending ? 1 : 0, Element::logical)},
                                 {Type::matrix(t.element, t.rows, t.cols), positions});
  return {Binding::matrix(results[0]), Binding::matrix(results[1])};
}

// sortrows(A[, c]): c lists columns, negative where they descend.
std::vector<Binding> sortrows(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const ValueId value = call.dense(0);
  const Type t = call.type(value);
  if (call.is_text(1)) call.fail("C must be a numeric vector");
  ValueId columns = e.nothing();
  if (call.count() > 1 && !call.is_empty_literal(1)) {
    columns = call.dense(1);
    if (!call.type(columns).is_vector()) call.fail("C must be a numeric vector");
    const ValueId absolute = elementwise(e, ScalarOp::abs, {columns}, call.span, "abs");
    const ValueId inside =
        elementwise(e, ScalarOp::logical_and,
                    {elementwise(e, ScalarOp::ge, {absolute, b.constant(1, Element::integer)}, call.span, ">="),
                     elementwise(e, ScalarOp::le, {absolute, b.size(t.cols)}, call.span, "<=")},
                    call.span, "&");
    e.require(all_true(call, inside), "sortrows: all elements of C must be in the range [1, columns (A)]", {});
    if (is_floating(call.type(columns).element))
      e.require(all_true(call, b.map(ScalarOp::eq, columns, b.map(ScalarOp::fix, columns))),
                "sortrows: all elements of C must be integers", {});
    columns = b.convert(columns, Element::integer);
  }
  const ValueId order =
      b.library(LibraryFn::sort_rows, {value, columns}, {Type::matrix(Element::integer, t.rows, 1)})[0];
  const Subscripts rows{{{SubscriptKind::vector, 0, 1, t.rows}, {SubscriptKind::all, 0, 1, t.cols}}};
  const ValueId sorted = b.index(value, rows, {order}, t.rows, t.cols);
  const bool sparse = call.type(call.matrix(0)).is_sparse();
  return {Binding::matrix(sparse ? to_csr(e, sorted) : sorted), Binding::matrix(order)};
}

// [u, i, j] = unique(x[, "rows"][, "first" | "last" | "sorted" | "stable" | "legacy"]); "legacy" takes the last place
// of each value and gives the positions of a row as rows. What has no elements gives a 0x1 ([]: a 0x0) and
// positions of 0x0.
std::vector<Binding> unique(Call& call) {
  Emitter& e = call.emit;
  Builder& b = e.builder;
  const ValueId value = call.dense(0);
  const Type t = call.type(value);
  UniqueOptions options = unique_options(call);
  const ValueId none = e.equal_sizes(t.count(), 0);
  const auto column = [&] {  // 0x0 has no column
    return e.chosen(e.is_zero_by_zero(t), 0, 1);
  };
  if (e.constant_of(none) == 1.0) {
    const Size kept = options.rows && !t.rows.is(0) ? Size(1) : Size(0);
    const ValueId empty = b.fill(b.constant(0, t.element), kept, options.rows ? t.cols : column());
    return {Binding::matrix(empty), Binding::matrix(e.nothing()), Binding::matrix(e.nothing())};
  }
  if (t.cols.is(1)) options.rows = false;
  const Size items = options.rows ? t.rows : t.count();
  const Type bound = options.rows ? Type::matrix(t.element, t.rows, t.cols) : Type::matrix(t.element, items, 1);
  const Type positions = call.nargout > 1 ? Type::matrix(Element::integer, items, 1) : no_positions();
  const Type ranks = call.nargout > 2 ? Type::matrix(Element::integer, items, 1) : no_positions();
  const auto flag = [&](bool set) { return b.constant(set ? 1 : 0, Element::logical); };
  const auto found = b.library(LibraryFn::unique, {value, flag(options.rows), flag(options.last), flag(options.stable)},
                               {bound, positions, ranks, Type::scalar(Element::integer)});
  const SymbolId symbol = symbol_of(e.graph, found[3]);
  e.graph.symbols[symbol].lower = e.facts.nonnegative(e.graph, t.count() - 1) ? 1 : 0;
  e.facts.at_most(symbol, items);
  const Size count = Size::symbol(symbol);
  const Subscript leading{SubscriptKind::range, 0, 1, count};
  std::vector<Binding> results;
  if (options.rows) {
    const Subscripts top{{leading, {SubscriptKind::all, 0, 1, t.cols}}};
    results.push_back(Binding::matrix(b.index(found[0], top, {}, count, t.cols)));
  } else {
    const ValueId is_row = b.map(ScalarOp::logical_and, e.equal_sizes(t.rows, 1), b.map(ScalarOp::logical_not, none));
    const Size rows = e.chosen(is_row, 1, count), cols = e.chosen(is_row, count, column());
    results.push_back(Binding::matrix(b.index(found[0], Subscripts{{leading}}, {}, rows, cols)));
  }
  const Size one_column = call.emit.chosen(none, 0, 1);
  const bool as_row = options.legacy && !options.rows && t.rows.is(1);
  if (call.nargout > 1)
    results.push_back(Binding::matrix(
        b.index(found[1], Subscripts{{leading}}, {}, as_row ? Size(1) : count, as_row ? count : one_column)));
  if (call.nargout > 2 && options.stable) {
    warn_no_ranks(call);
    results.push_back(Binding::matrix(e.nothing()));
    return results;
  }
  if (call.nargout > 2)
    results.push_back(Binding::matrix(as_row ? b.reshape(found[2], 1, items) : b.reshape(found[2], items, one_column)));
  return results;
}

std::vector<Binding> nonzeros(Call& call) {
  Emitter& e = call.emit;
  const ValueId value = call.dense(0);
  const Type t = call.type(value);
  if (t.rows.is(0) || t.cols.is(0)) return one(e.builder.fill(e.builder.constant(0, t.element), 0, 1));
  const ValueId column = e.builder.reshape(value, t.count(), 1);
  const ValueId positions = find_positions(e, nonzero_mask(call, column));
  const Size count = call.type(positions).rows;
  const Subscripts gathered{{{SubscriptKind::vector, 0, 1, count}}};
  return one(e.builder.index(column, gathered, {positions}, count, 1));
}

}  // namespace

UniqueOptions unique_options(Call& call) {
  UniqueOptions options;
  for (std::size_t i = 1; i < call.count(); ++i) {
    if (!call.is_text(i)) call.fail("options must be strings");
    const std::string& name = call.text(i);
    if (name == "rows") options.rows = true;
    else if (name == "first") options.first = true;
    else if (name == "last") options.last = true;
    else if (name == "sorted") options.sorted = true;
    else if (name == "stable") options.stable = true;
    else if (name == "legacy") options.legacy = true;
    else call.fail("invalid option \"" + name + "\"");
  }
  const auto both = [&](bool a, bool b, const char* complaint) {
    if (a && b) call.fail(complaint);
  };
  const bool place = options.first || options.last, order = options.sorted || options.stable;
  both(options.first, options.last, "cannot specify both \"first\" and \"last\"");
  both(options.sorted, options.stable, "cannot specify both \"sorted\" and \"stable\"");
  both(place, order, "cannot specify \"first\"/\"last\" with \"sorted\"/\"stable\"");
  both(order, options.legacy, "cannot specify \"sorted\" or \"stable\" with \"legacy\"");
  options.last = options.last || options.legacy;
  return options;
}

void warn_no_ranks(Call& call) {
  Builder& b = call.emit.builder;
  Message message;
  message.stream = Stream::err;
  message.format = "unique: third output J is not yet implemented";
  b.warn(b.constant(0, Element::logical), std::move(message), {});
}

std::span<const Builtin> rearrange_builtins() {
  static constexpr Builtin entries[] = {
      {"fliplr", 1, 1, 1, fliplr},     {"flipud", 1, 1, 1, flipud},       {"flip", 1, 2, 1, flip},
      {"rot90", 1, 2, 1, rot90},       {"circshift", 2, 3, 1, circshift}, {"permute", 2, 2, 1, permute},
      {"horzcat", 0, -1, 1, horzcat},  {"vertcat", 0, -1, 1, vertcat},    {"cat", 1, -1, 1, cat},
      {"sort", 1, 3, 2, sort},         {"sortrows", 1, 2, 2, sortrows},   {"unique", 1, 4, 3, unique},
      {"nonzeros", 1, 1, 1, nonzeros},
  };
  return entries;
}

}  // namespace lac::frontend
