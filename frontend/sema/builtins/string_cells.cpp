// What functions are of cells of strings: comparisons, searches, order, and functions of each string.
#include <algorithm>
#include <numeric>
#include <span>

#include "frontend/sema/builtins/aggregate_overloads.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/known_text.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {
namespace {

bool is_empty_text(Call& call, const Binding& text) {
  return text.is_known_text() ? text.text.empty() : call.type(text.value).count().is(0);
}

/// Strings in cells are compared by their characters: those without any are equal, whatever their extents.
ValueId same_text(Call& call, const Binding& a, const Binding& b) {
  if (!a.is_text() || !b.is_text()) return truth(call, false);
  if (is_empty_text(call, a) && is_empty_text(call, b)) return truth(call, true);
  if (a.is_known_text() && b.is_known_text()) return truth(call, a.text == b.text);
  return same_strings(call.emit, a, b);
}

/// What strcmp compares with cells: of a text of several rows these as cells, each with its own where they are as many.
Binding beside_cells(Call& call, const Binding& text, const Binding& cells) {
  if (!text.is_text() || text.is_known_text() || !cells.is_cell()) return text;
  Emitter& e = call.emit;
  const Type t = e.type(text.value);
  if (t.rows.is(1) || t.rows.is(0)) return text;
  if (!t.rows.is_constant()) {
    const ValueId one_line =
        e.builder.map(ScalarOp::le, e.builder.size(t.rows), e.builder.constant(1, Element::integer));
    e.refuse_unless(one_line, call.name +
                                  ": beside cells, how many rows a text of several has must be known while the "
                                  "program is compiled");
    return text;
  }
  std::vector<Binding> rows;
  for (std::int64_t k = 0; k < t.rows.constant(); ++k) {
    const Subscripts row = {{{SubscriptKind::range, k, 1, 1}, {SubscriptKind::all, 0, 1, t.cols}}};
    rows.push_back(text);
    rows.back().value = e.builder.index(text.value, row, {}, 1, t.cols);
  }
  const Aggregate& shape = *cells.aggregate;
  if (shape.count() == t.rows.constant()) return cell_array(shape.rows, shape.cols, std::move(rows));
  return cell_array(t.rows.constant(), 1, std::move(rows));
}

/// What the function tells of two strings, themselves or from cells.
ValueId compared(Call& call, const Binding& a, const Binding& b) {
  if (call.name == "strcmp") return same_text(call, a, b);
  if (!a.is_text() || !b.is_text()) return truth(call, false);
  std::vector<Binding> arguments = call.args;
  arguments[0] = a;
  arguments[1] = b;
  return call.walk.call_by_name(call.name, std::move(arguments), 1, call.span).front().value;
}

// strcmp and its kin: cells against one string, or cell by cell; one cell stands for as many as the other has
std::vector<Binding> strcmp_of(Call& call) {
  const Binding a = beside_cells(call, call.args[0], call.args[1]), b = beside_cells(call, call.args[1], call.args[0]);
  const auto compares = [](const Binding& each) { return each.is_cell() || each.is_text(); };
  if (!compares(a) || !compares(b)) return one(truth(call, false));
  const bool of_a = a.is_cell() && (!b.is_cell() || a.aggregate->count() != 1);
  const Aggregate& s = *(of_a ? a : b).aggregate;
  if (a.is_cell() && b.is_cell() && a.aggregate->count() != 1 && b.aggregate->count() != 1 &&
      (a.aggregate->rows != b.aggregate->rows || a.aggregate->cols != b.aggregate->cols)) {
    if (call.args[0].is_cell() && call.args[1].is_cell()) call.fail("nonconformant cell arrays");
    return one(truth(call, false));  // the rows of a text
  }
  const auto item = [&](const Binding& of, std::size_t k) -> const Binding& {
    return !of.is_cell() ? of : of.aggregate->count() == 1 ? items_of(of).front() : items_of(of)[k];
  };
  std::vector<ValueId> same;
  for (std::size_t k = 0; k < static_cast<std::size_t>(s.count()); ++k)
    same.push_back(compared(call, item(a, k), item(b, k)));
  if (same.empty()) return one(call.emit.builder.fill(truth(call, false), s.rows, s.cols));
  return one(literal(call.emit, same, s.rows, s.cols));
}

/// Whether all cells hold strings, as iscellstr.
bool holds_strings(const Binding& cells) { return std::ranges::all_of(items_of(cells), &Binding::is_text); }

/// The rows of a text without blanks at their ends, as cellstr.
Binding rows_as_cells(Call& call, const Binding& text) {
  const auto known = known_rows(call.emit, text);
  if (!known)
    call.fail("a text of several rows must be known before the program runs: cells of strings are not bound to that");
  std::vector<Binding> rows;
  for (const std::string& row : *known)
    rows.push_back(Binding::string(row.substr(0, row.find_last_not_of(' ') + 1), false));
  const auto count = static_cast<std::int64_t>(rows.size());
  return cell_array(count, 1, std::move(rows));
}

/// What ismember looks for or looks in, as cells of strings: nothing is no cells.
Binding as_strings(Call& call, const Binding& given) {
  if (given.is_cell()) return given;
  if (!given.is_text()) return cell_array(0, 0, {});
  if (given.is_known_text() || call.type(given.value).rows.is(1)) return cell_array(1, 1, {given});
  return rows_as_cells(call, given);
}

// [found, position] = ismember(text, cells), ismember(cells, cells), ismember(cells, text): the last place of each
std::vector<Binding> ismember(Call& call) {
  const bool of_strings[2] = {call.args[0].is_cell() && holds_strings(call.args[0]),
                              call.args[1].is_cell() && holds_strings(call.args[1])};
  if (!of_strings[0] && !of_strings[1]) call.fail("A and B must be arrays or cell arrays of strings");
  for (std::size_t i = 0; i < 2; ++i)
    if (!of_strings[i] && !call.is_text(i) && !has_no_elements(call, call.args[i]))
      call.fail("cell array of strings cannot be combined with a nonstring value");
  const Binding wanted = as_strings(call, call.args[0]), set = as_strings(call, call.args[1]);
  Builder& b = call.emit.builder;
  std::vector<ValueId> found, positions;
  for (const Binding& text : items_of(wanted)) {
    ValueId any = truth(call, false), position = number(call, 0);
    for (std::size_t k = 0; k < items_of(set).size(); ++k) {
      const ValueId same = same_text(call, text, items_of(set)[k]);
      const auto known = call.emit.constant_of(same);
      if (known == 0.0) continue;
      const ValueId here = number(call, static_cast<std::int64_t>(k) + 1);
      position = known ? here : b.map(ScalarOp::select, {same, here, position});
      any = known ? same : b.map(ScalarOp::logical_or, any, same);
    }
    found.push_back(any);
    positions.push_back(position);
  }
  const Aggregate& shape = *wanted.aggregate;
  if (found.empty())
    return {Binding::matrix(b.fill(truth(call, false), shape.rows, shape.cols)),
            Binding::matrix(b.fill(number(call, 0), shape.rows, shape.cols))};
  return {Binding::matrix(literal(call.emit, found, shape.rows, shape.cols)),
          Binding::matrix(literal(call.emit, positions, shape.rows, shape.cols))};
}
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

// unique(c): the strings in order, a row of a row; of equal ones the first place. Places are columns.
std::vector<Binding> unique(Call& call) {
  if (has_computed_strings(call)) return find_stacked_overload("unique")->handler(call);
  const std::vector<Binding>& items = items_of(call.args[0]);
  std::vector<std::int64_t> order = places_of(items);
  put_in_order(items, order, false);
  std::vector<std::int64_t> kept, place_of(items.size());
  for (const std::int64_t at : order) {
    const auto same = [&](std::int64_t x, std::int64_t y) {
      return items[static_cast<std::size_t>(x)].text == items[static_cast<std::size_t>(y)].text;
    };
    if (kept.empty() || !same(kept.back(), at)) kept.push_back(at);
    place_of[static_cast<std::size_t>(at)] = static_cast<std::int64_t>(kept.size()) - 1;
  }
  const Aggregate& a = *call.args[0].aggregate;
  const auto count = static_cast<std::int64_t>(kept.size());
  const bool row = a.rows == 1 && a.cols > 1, nothing = a.rows == 0 && a.cols == 0;
  const std::int64_t rows = row ? 1 : count, cols = row ? count : nothing ? 0 : 1;
  const auto total = static_cast<std::int64_t>(items.size());
  const std::int64_t width = total == 0 ? 0 : 1;
  return {selected(call.args[0], kept, rows, cols), places(call, kept, count, width),
          places(call, place_of, total, width)};
}

/// A function of strings, of what each cell holds: in cells again.
std::vector<Binding> of_each_string(Call& call) {
  const Aggregate cells = aggregate_argument(call);
  std::vector<Binding> made;
  for (const Binding& item : items_of(call.args[0])) {
    std::vector<Binding> arguments = call.args;
    arguments[0] = item;
    made.push_back(call.walk.call_by_name(call.name, std::move(arguments), 1, call.span).front());
  }
  return {cell_array(cells.rows, cells.cols, std::move(made))};
}

/// The same with numbers as results, in a matrix.
std::vector<Binding> numbers_of_strings(Call& call) {
  if (!call.args[0].is_cell()) std::swap(call.args[0], call.args[1]);
  const Aggregate cells = aggregate_argument(call);
  const std::vector<Binding> made = of_each_string(call);
  return {gathered(call, items_of(made.front()), cells.rows, cells.cols, true)};
}

// startsWith(text, {patterns}): whether it begins with any of them.
std::vector<Binding> with_any_pattern(Call& call) {
  if (call.args[0].is_cell()) return numbers_of_strings(call);
  std::vector<Binding> found;
  for (const Binding& pattern : items_of(call.args[1]))
    found.push_back(call.walk.call_by_name(call.name, {call.args[0], pattern}, 1, call.span).front());
  const auto count = static_cast<std::int64_t>(found.size());
  return call.walk.call_by_name("any", {gathered(call, found, 1, count, true)}, 1, call.span);
}

constexpr Builtin entries[] = {
    {"strcmp", 2, 2, 1, strcmp_of},
    {"ismember", 2, 2, 2, ismember},
    {"sort", 1, 3, 2, sort},
    {"unique", 1, 1, 3, unique},
    {"upper", 1, 1, 1, of_each_string},
    {"lower", 1, 1, 1, of_each_string},
    {"toupper", 1, 1, 1, of_each_string},
    {"tolower", 1, 1, 1, of_each_string},
    {"strtrim", 1, 1, 1, of_each_string},
    {"deblank", 1, 1, 1, of_each_string},
    {"strrep", 3, 3, 1, of_each_string},
    {"regexprep", 3, -1, 1, of_each_string},
    {"regexp", 2, -1, 1, of_each_string},
    {"regexpi", 2, -1, 1, of_each_string},
    {"strfind", 2, 2, 1, of_each_string},
    {"str2double", 1, 1, 1, numbers_of_strings},
    {"strcmpi", 2, 2, 1, strcmp_of},
    {"strncmp", 3, 3, 1, strcmp_of},
    {"strncmpi", 3, 3, 1, strcmp_of},
    {"startsWith", 2, 2, 1, with_any_pattern},
    {"endsWith", 2, 2, 1, with_any_pattern},
};

}  // namespace

std::span<const Builtin> string_cell_overloads() { return entries; }

}  // namespace lac::frontend
