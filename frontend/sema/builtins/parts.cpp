// num2cell(A, dim), mat2cell, orderfields, nthargout: parts of matrices, structs and results.
#include "frontend/sema/builtins/parts.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"

namespace lac::frontend {
namespace {

/// `count` places from `first` on.
Subscript range(const Size& first, const Size& count) { return {SubscriptKind::range, first, 1, count}; }

ValueId block(Call& call, ValueId value, Subscript rows, Subscript cols) {
  return call.emit.builder.index(value, Subscripts{{rows, cols}}, {}, rows.count, cols.count);
}

/// The extents of parts that make up `whole`.
std::vector<std::int64_t> extents(Call& call, std::size_t i, const Size& whole) {
  const auto numbers = numbers_of(call.emit, call.matrix(i));
  if (!numbers) call.fail("how large the parts are must be known while the program is compiled");
  std::vector<std::int64_t> parts;
  for (const double number : *numbers) {
    if (number < 0 || number != std::floor(number)) call.fail("dimension vectors must be nonnegative integers");
    parts.push_back(static_cast<std::int64_t>(number));
  }
  const std::int64_t sum = std::accumulate(parts.begin(), parts.end(), std::int64_t{0});
  const std::string mismatch = call.name + ": mismatch on dimension " + std::to_string(i) + " (",
                    other = " != " + std::to_string(sum) + ")";
  require_equal(call.emit, whole, sum, call.span, mismatch + call.emit.graph.text(whole) + other, {whole},
                mismatch + "%d" + other);
  return parts;
}

// mat2cell(A, rows[, columns])
std::vector<Binding> mat2cell(Call& call) {
  const ValueId value = call.array(0);
  const Type t = call.type(value);
  const auto sizes = [](const std::vector<std::int64_t>& parts) {
    return std::vector<Size>(parts.begin(), parts.end());
  };
  const std::vector<Size> rows = sizes(extents(call, 1, t.rows));
  const std::vector<Size> cols = call.count() > 2 ? sizes(extents(call, 2, t.cols)) : std::vector{t.cols};
  std::vector<Binding> items;
  Size left = 0;
  for (const Size& width : cols) {
    Size top = 0;
    for (const Size& height : rows) {
      const ValueId part = block(call, value, range(top, height), range(left, width));
      items.push_back(call.is_text(0) ? Binding::computed_text(part, false) : Binding::matrix(part));
      top = top + height;
    }
    left = left + width;
  }
  return {cell_array(static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(cols.size()), std::move(items))};
}

/// The names in which orderfields(s, t) puts the fields: those of a struct, of strings in cells, or of positions.
std::vector<std::string> wanted_order(Call& call, const std::vector<Slot>& fields) {
  const Binding& given = call.args[1];
  std::vector<std::string> names;
  if (given.is_record())
    for (const Slot& slot : given.aggregate->slots) names.push_back(slot.name);
  else if (given.is_cell() && !given.aggregate->stacked)
    for (const Binding& item : items_of(given)) names.push_back(item.text);
  else
    for (const double at : numbers_of(call.emit, call.dense(1)).value_or(std::vector<double>())) {
      if (!(at >= 1) || at > static_cast<double>(fields.size())) call.fail("invalid permutation vector P");
      names.push_back(fields[static_cast<std::size_t>(at) - 1].name);
    }
  const auto is_there = [&](const Slot& slot) { return std::ranges::find(names, slot.name) != names.end(); };
  if (names.size() != fields.size() || !std::ranges::all_of(fields, is_there))
    call.fail("FIELDS of S1 and those that are asked for must be the same, and known while the program is compiled");
  return names;
}

// [s, order] = orderfields(s), orderfields(s, t): fields by their names, or as t has them
std::vector<Binding> orderfields(Call& call) {
  if (!call.args[0].is_record()) call.fail("argument must be a struct");
  Aggregate made = *call.args[0].aggregate;
  std::vector<std::string> names;
  for (const Slot& slot : made.slots) names.push_back(slot.name);
  std::ranges::sort(names);
  if (call.count() > 1) names = wanted_order(call, made.slots);
  std::vector<std::size_t> order(made.slots.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return std::ranges::find(names, made.slots[k].name); });
  std::vector<Slot> slots;
  std::vector<ValueId> places;
  for (const std::size_t k : order) {
    slots.push_back(made.slots[k]);
    places.push_back(call.emit.builder.constant(static_cast<double>(k) + 1, call.emit.graph.precision));
  }
  made.slots = std::move(slots);
  const auto count = static_cast<std::int64_t>(places.size());
  const ValueId permutation = places.empty() ? call.emit.nothing() : literal(call.emit, places, count, 1);
  return {Binding::of(Binding::Kind::record, std::move(made)), Binding::matrix(permutation)};
}

// nthargout(n, f, x, ...), nthargout(n, results, f, x, ...); of several n their results in cells
std::vector<Binding> nthargout(Call& call) {
  const bool counted = !call.args[1].is_function() && !call.is_text(1);
  const std::size_t function = counted ? 2 : 1;
  const ValueId asked = call.dense(0);
  const auto numbers = numbers_of(call.emit, asked);
  const bool is_single = call.type(asked).is_scalar() || !numbers;
  const std::vector<double> places =
      is_single ? std::vector{static_cast<double>(call.constant_integer(0, "N"))} : *numbers;
  const double last = places.empty() ? 1 : *std::ranges::max_element(places);
  const std::int64_t results = counted ? call.constant_integer(1, "NTOT") : static_cast<std::int64_t>(last);
  for (const double n : places)
    if (!(n >= 1) || n > static_cast<double>(results) || n != std::trunc(n))
      call.fail("N must be a valid index between 1 and NTOT");
  std::vector<Binding> rest(call.args.begin() + static_cast<std::ptrdiff_t>(function) + 1, call.args.end());
  const Binding& f = call.args[function];
  const int wanted = static_cast<int>(results);
  std::vector<Binding> made = f.is_text()
                                  ? call.walk.call_by_name(call.text(function), std::move(rest), wanted, call.span)
                                  : call.walk.call_closure(*f.function, std::move(rest), wanted, call.span);
  std::vector<Binding> wanted_ones;
  for (const double n : places) {
    if (static_cast<double>(made.size()) < n) call.fail("the function has fewer results");
    wanted_ones.push_back(made[static_cast<std::size_t>(n) - 1]);
  }
  if (is_single) return wanted_ones;
  const auto count = static_cast<std::int64_t>(wanted_ones.size());
  return {cell_array(1, count, std::move(wanted_ones))};
}

}  // namespace

Binding lines_in_cells(Call& call, ValueId matrix) {
  const Type t = call.type(matrix);
  const std::int64_t rows = t.rows.constant(), cols = t.cols.constant();
  const std::int64_t dim = call.constant_integer(1, "DIMS");
  if (dim != 1 && dim != 2) call.fail("dimension vectors for DIM must be 1 or 2");
  const std::int64_t count = dim == 1 ? cols : rows;
  std::vector<Binding> items;
  for (std::int64_t k = 0; k < count; ++k) {
    const ValueId line =
        dim == 1 ? block(call, matrix, range(0, rows), range(k, 1)) : block(call, matrix, range(k, 1), range(0, cols));
    items.push_back(call.is_text(0) ? Binding::computed_text(line, false) : Binding::matrix(line));
  }
  return cell_array(dim == 1 ? 1 : count, dim == 1 ? count : 1, std::move(items));
}

std::span<const Builtin> parts_builtins() {
  static constexpr Builtin entries[] = {
      {"mat2cell", 2, 3, 1, mat2cell},
      {"orderfields", 1, 2, 2, orderfields},
      {"nthargout", 2, -1, 1, nthargout},
  };
  return entries;
}

}  // namespace lac::frontend
