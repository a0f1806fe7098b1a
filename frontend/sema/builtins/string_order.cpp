// The order of strings in cells: sort, sortrows, unique.
#include <algorithm>
#include <numeric>
#include <span>

#include "frontend/sema/builtins/aggregate_overloads.h"
#include "frontend/sema/builtins/unique_options.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {
namespace {

/// Whether the run finds what some of the strings are, which are all that the cells hold.
bool has_computed_strings(Call& call) {
  const bool strings = call.args[0].is_cell() && std::ranges::all_of(items_of(call.args[0]), &Binding::is_text);
  if (!strings) call.fail("only cell arrays of character strings may be sorted");
  return !std::ranges::all_of(items_of(call.args[0]), &Binding::is_known_text);
}

/// The places of strings of a cell array in their order, the first of equal ones first.
void put_in_order(const std::vector<Binding>& items, std::span<std::int64_t> places, bool descending) {
  std::ranges::stable_sort(places, [&](std::int64_t x, std::int64_t y) {
    const std::string &a = items[static_cast<std::size_t>(x)].text, &b = items[static_cast<std::size_t>(y)].text;
    return descending ? b < a : a < b;
  });
}

std::vector<std::int64_t> places_of(const std::vector<Binding>& items) {
  std::vector<std::int64_t> places(items.size());
  std::iota(places.begin(), places.end(), std::int64_t{0});
  return places;
}

Binding places(Call& call, const std::vector<std::int64_t>& order, std::int64_t rows, std::int64_t cols) {
  std::vector<ValueId> numbers;
  for (const std::int64_t at : order) numbers.push_back(number(call, at + 1));
  if (numbers.empty()) return Binding::matrix(call.emit.builder.fill(number(call, 0), rows, cols));
  return Binding::matrix(literal(call.emit, numbers, rows, cols));
}

/// Which way strings of cells are sorted.
struct Order {
  Axis axis;
  bool descending = false;
};

Order order_of(Call& call) {
  const Aggregate& a = *call.args[0].aggregate;
  Order order{a.rows == 1 ? Axis::cols : Axis::rows};
  std::size_t last = call.count();
  if (last > 1 && call.is_text(last - 1)) {
    const std::string mode = lower_case(call.text(--last));
    if (mode != "ascend" && mode != "descend") call.fail("MODE must be either \"ascend\" or \"descend\"");
    order.descending = mode == "descend";
  }
  if (last > 2) call.fail("DIM must be a valid dimension");
  if (last == 2) order.axis = dimension_axis(call, 1);
  return order;
}

// sort(c, dim, "descend"): each column or row by itself
std::vector<Binding> sort(Call& call) {
  if (has_computed_strings(call)) return find_stacked_overload("sort")->handler(call);
  const auto [axis, descending] = order_of(call);
  const Aggregate& a = *call.args[0].aggregate;
  const bool down = axis == Axis::rows;
  const std::int64_t height = down ? a.rows : a.cols, lines = down ? a.cols : a.rows;
  const auto index = [&](std::int64_t line, std::int64_t k) { return down ? line * a.rows + k : k * a.rows + line; };
  std::vector<std::int64_t> order(static_cast<std::size_t>(a.count())), in_line(order.size());
  for (std::int64_t line = 0; line < lines; ++line) {
    std::vector<std::int64_t> places;
    for (std::int64_t k = 0; k < height; ++k) places.push_back(index(line, k));
    put_in_order(items_of(call.args[0]), places, descending);
    for (std::int64_t k = 0; k < height; ++k) {
      const std::int64_t from = places[static_cast<std::size_t>(k)];
      order[static_cast<std::size_t>(index(line, k))] = from;
      in_line[static_cast<std::size_t>(index(line, k))] = down ? from - line * a.rows : from / a.rows;
    }
  }
  return {selected(call.args[0], order, a.rows, a.cols), places(call, in_line, a.rows, a.cols)};
}

// [u, i, j] = unique(c, options...): the strings in order, or "stable" as they come, a row of a row; of equal ones the
// first place or the "last". Places are columns; "legacy" gives those of a row as rows.
std::vector<Binding> unique(Call& call) {
  if (has_computed_strings(call)) return find_stacked_overload("unique")->handler(call);
  const UniqueOptions options = unique_options(call);
  const std::vector<Binding>& items = items_of(call.args[0]);
  std::vector<std::int64_t> order = places_of(items);
  put_in_order(items, order, false);
  std::vector<std::int64_t> kept, place_of(items.size());
  for (const std::int64_t at : order) {
    const auto same = [&](std::int64_t x, std::int64_t y) {
      return items[static_cast<std::size_t>(x)].text == items[static_cast<std::size_t>(y)].text;
    };
    if (kept.empty() || !same(kept.back(), at)) kept.push_back(at);
    else if (options.last) kept.back() = at;
    place_of[static_cast<std::size_t>(at)] = static_cast<std::int64_t>(kept.size()) - 1;
  }
  if (options.stable) std::ranges::sort(kept);
  const Aggregate& a = *call.args[0].aggregate;
  const auto count = static_cast<std::int64_t>(kept.size()), total = static_cast<std::int64_t>(items.size());
  const bool row = a.rows == 1 && a.cols > 1, nothing = a.rows == 0 && a.cols == 0;
  const std::int64_t rows = row ? 1 : count, cols = row ? count : nothing ? 0 : 1;
  const auto positions = [&](const std::vector<std::int64_t>& all, std::int64_t number) {
    if (row && options.legacy) return places(call, all, 1, number);
    return places(call, all, number, total == 0 ? 0 : 1);
  };
  const bool ranks = call.nargout > 2 && !options.stable;
  if (call.nargout > 2 && options.stable) warn_no_ranks(call);
  return {selected(call.args[0], kept, rows, cols), positions(kept, count),
          ranks ? positions(place_of, total) : Binding::matrix(call.emit.nothing())};
}

// [s, i] = sortrows(c, direction): of a column of strings
std::vector<Binding> sortrows(Call& call) {
  if (call.args[0].aggregate->stacked ? !call.args[0].aggregate->column : call.args[0].aggregate->cols != 1)
    call.fail("only cell arrays of character strings may be sorted");
  const bool descending = call.count() > 1 && call.constant_integer(1, "C") < 0;
  return call.walk.call_by_name("sort", {call.args[0], Binding::string(descending ? "descend" : "ascend", false)}, 2,
                                call.span);
}

}  // namespace

std::span<const Builtin> string_order_overloads() {
  static constexpr Builtin entries[] = {
      {"sort", 1, 3, 2, sort},
      {"sortrows", 1, 2, 2, sortrows},
      {"unique", 1, 4, 3, unique},
  };
  return entries;
}

}  // namespace lac::frontend
