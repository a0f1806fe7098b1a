// What functions are of cells of strings: comparisons, searches, joins, and functions of each string.
#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "frontend/sema/builtins/aggregate_overloads.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/known_text.h"
#include "frontend/sema/values/strings.h"

namespace lac::frontend {
namespace {

ValueId same_text(Call& call, const Binding& a, const Binding& b) {
  return a.is_text() && b.is_text() ? same_in_cells(call.emit, a, b) : truth(call, false);
}

/// A text of which the run finds how many rows it has: a string.
void require_one_line(Call& call, const Binding& text) {
  Emitter& e = call.emit;
  const ValueId one_line =
      e.builder.map(ScalarOp::le, e.builder.size(e.type(text.value).rows), e.builder.constant(1, Element::integer));
  e.refuse_unless(one_line, call.name +
                                ": beside cells, how many rows a text of several has must be known while the "
                                "program is compiled");
}

/// What strcmp compares with cells: of a text of several rows these as cells, each with its own where they are as many.
Binding beside_cells(Call& call, const Binding& text, const Binding& cells) {
  if (!text.is_text() || text.is_known_text() || !cells.is_cell()) return text;
  Emitter& e = call.emit;
  const Type t = e.type(text.value);
  if (t.rows.is(1) || t.rows.is(0)) return text;
  if (!t.rows.is_constant()) {
    require_one_line(call, text);
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

/// What the function tells of two strings.
ValueId compared_strings(Call& call, const Binding& a, const Binding& b) {
  if (call.name == "strcmp") return same_in_cells(call.emit, a, b);
  const auto of = [&](const char* name, std::vector<Binding> arguments) {
    return call.walk.call_by_name(name, std::move(arguments), 1, call.span).front();
  };
  if (call.name == "strcmpi") return same_in_cells(call.emit, of("lower", {a}), of("lower", {b}));
  return of(call.name.c_str(), {a, b, call.args[2]}).value;
}

/// Of two values, themselves or from cells: [] is no string.
ValueId compared(Call& call, Binding a, Binding b) {
  if (!a.is_text() || !b.is_text()) return truth(call, false);
  const ValueId given[] = {std::exchange(a.given, {}), std::exchange(b.given, {})};
  ValueId same = compared_strings(call, a, b);
  for (const ValueId each : given)
    if (each) same = call.emit.builder.map(ScalarOp::logical_and, same, each);
  return same;
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
  if (!call.type(given.value).rows.is_constant()) {
    require_one_line(call, given);
    return cell_array(1, 1, {given});
  }
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

/// A function of strings, of what each cell holds: in cells again, for each of its results.
std::vector<Binding> of_each_string(Call& call) {
  const Aggregate cells = aggregate_argument(call);
  std::vector<std::vector<Binding>> made(static_cast<std::size_t>(std::max(call.nargout, 1)));
  for (const Binding& item : items_of(call.args[0])) {
    std::vector<Binding> arguments = call.args;
    arguments[0] = item;
    const std::vector<Binding> results =
        call.walk.call_by_name(call.name, std::move(arguments), call.nargout, call.span);
    for (std::size_t i = 0; i < made.size(); ++i) made[i].push_back(results[i]);
  }
  std::vector<Binding> all;
  for (std::vector<Binding>& items : made) all.push_back(cell_array(cells.rows, cells.cols, std::move(items)));
  return all;
}

// regexprep(s, {patterns}, {replacements}): one pattern after the other, each with its own replacement or the only one.
std::vector<Binding> regexprep(Call& call) {
  if (call.args[0].is_cell()) return of_each_string(call);
  const auto listed = [](const Binding& given) { return given.is_cell() ? items_of(given) : std::vector{given}; };
  const std::vector<Binding> patterns = listed(call.args[1]), replacements = listed(call.args[2]);
  if (replacements.size() != 1 && replacements.size() != patterns.size())
    call.fail("number of pattern and replacement arguments must match");
  Binding text = call.args[0];
  for (std::size_t k = 0; k < patterns.size(); ++k) {
    std::vector<Binding> arguments = call.args;
    arguments[0] = text;
    arguments[1] = patterns[k];
    arguments[2] = replacements[replacements.size() == 1 ? 0 : k];
    text = call.walk.call_by_name(call.name, std::move(arguments), 1, call.span).front();
  }
  return {text};
}

/// What strcat joins with cells: of a text its rows without the blanks at their ends.
Binding joined_with_cells(Call& call, Binding given) {
  if (given.is_cell()) return given;
  if (given.is_matrix()) given = call.walk.call_by_name("char", {given}, 1, call.span).front();
  if (!given.is_text()) call.fail("inputs must be strings or cells of strings");
  if (!given.is_known_text() && !call.type(given.value).rows.is(1)) return rows_as_cells(call, given);
  return cell_array(1, 1, call.walk.call_by_name("strcat", {given}, 1, call.span));
}

// strcat(c, s, d): cell by cell, where one stands for as many as the others have; only texts lose their blanks
std::vector<Binding> strcat_of(Call& call) {
  std::int64_t rows = 1, cols = 1;
  for (Binding& given : call.args) {
    given = joined_with_cells(call, given);
    const Aggregate& a = *given.aggregate;
    if (a.count() == 1) continue;
    if ((rows != 1 || cols != 1) && (a.rows != rows || a.cols != cols))
      call.fail("arguments must be the same size, or be scalars");
    rows = a.rows;
    cols = a.cols;
  }
  std::vector<Binding> made;
  for (std::size_t k = 0; k < static_cast<std::size_t>(rows * cols); ++k) {
    std::vector<Binding> parts;
    for (const Binding& given : call.args) {
      parts.push_back(items_of(given)[given.aggregate->count() == 1 ? 0 : k]);
      if (!parts.back().is_text()) call.fail("inputs must be strings or cells of strings");
    }
    made.push_back(join_strings(call.emit, parts, call.span));
  }
  return {cell_array(rows, cols, std::move(made))};
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

}  // namespace

std::span<const Builtin> string_cell_overloads() {
  static constexpr Builtin entries[] = {
      {"strcmp", 2, 2, 1, strcmp_of},          {"ismember", 2, 2, 2, ismember},
      {"upper", 1, 1, 1, of_each_string},      {"lower", 1, 1, 1, of_each_string},
      {"toupper", 1, 1, 1, of_each_string},    {"tolower", 1, 1, 1, of_each_string},
      {"strtrim", 1, 1, 1, of_each_string},    {"deblank", 1, 1, 1, of_each_string},
      {"strrep", 3, 3, 1, of_each_string},     {"strtok", 1, 2, 2, of_each_string},
      {"strcat", 1, -1, 1, strcat_of},         {"regexprep", 3, -1, 1, regexprep},
      {"regexp", 2, -1, 7, of_each_string},    {"regexpi", 2, -1, 7, of_each_string},
      {"strfind", 2, 2, 1, of_each_string},    {"str2double", 1, 1, 1, numbers_of_strings},
      {"strcmpi", 2, 2, 1, strcmp_of},         {"strncmp", 3, 3, 1, strcmp_of},
      {"strncmpi", 3, 3, 1, strcmp_of},        {"startsWith", 2, 2, 1, with_any_pattern},
      {"endsWith", 2, 2, 1, with_any_pattern},
  };
  return entries;
}

}  // namespace lac::frontend
