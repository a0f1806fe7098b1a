// What functions of matrices are where an argument is a struct or a cell array.
#include <algorithm>
#include <cmath>
#include <map>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/builtins/effect.h"
#include "frontend/sema/integers/integers.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/known_text.h"
#include "frontend/sema/values/show.h"
#include "frontend/sema/values/strings.h"
#include "ir/types/extent.h"

namespace lac::frontend {
namespace {

ValueId number(Call& call, std::int64_t value) {
  return call.emit.builder.constant(static_cast<double>(value), Element::integer);
}

ValueId truth(Call& call, bool value) { return call.emit.builder.constant(value ? 1 : 0, Element::logical); }

const Aggregate& first(Call& call) {
  if (!call.args[0].is_aggregate()) call.fail("argument 1 must be a struct or a cell array here");
  return *call.args[0].aggregate;
}

ValueId number(Call& call, const Size& size) { return call.emit.builder.size(size); }

std::vector<Binding> numel(Call& call) { return one(number(call, count_of(call.emit, first(call)))); }
std::vector<Binding> rows(Call& call) { return one(number(call, extents_of(call.emit, first(call)).rows)); }
std::vector<Binding> columns(Call& call) { return one(number(call, extents_of(call.emit, first(call)).cols)); }
std::vector<Binding> ndims(Call& call) { return one(number(call, 2)); }
std::vector<Binding> isempty(Call& call) {
  const Aggregate& a = first(call);
  return one(a.stacked ? call.emit.equal_sizes(count_of(call.emit, a), 0) : truth(call, a.count() == 0));
}
std::vector<Binding> length(Call& call) {
  const Aggregate& a = first(call);
  if (a.stacked) return one(number(call, count_of(call.emit, a)));
  return one(number(call, a.count() == 0 ? 0 : std::max(a.rows, a.cols)));
}

std::vector<Binding> size(Call& call) {
  const Aggregate& a = first(call);
  if (call.count() == 2) {
    const std::int64_t axis = call.constant_integer(1, "DIM");
    if (axis < 1) call.fail("requested dimension DIM (= " + std::to_string(axis) + ") out of range");
    return one(number(call, axis == 1   ? extents_of(call.emit, a).rows
                            : axis == 2 ? extents_of(call.emit, a).cols
                                        : Size(1)));
  }
  if (call.nargout < 2)
    return one(literal(
        call.emit, {number(call, extents_of(call.emit, a).rows), number(call, extents_of(call.emit, a).cols)}, 1, 2));
  std::vector<Binding> extents = one(number(call, extents_of(call.emit, a).rows));
  extents.push_back(Binding::matrix(number(call, extents_of(call.emit, a).cols)));
  while (static_cast<int>(extents.size()) < call.nargout) extents.push_back(Binding::matrix(number(call, 1)));
  return extents;
}

std::vector<Binding> class_of(Call& call) {
  return {Binding::string(call.args[0].is_cell() ? "cell" : "struct", false)};
}

std::vector<Binding> no(Call& call) { return one(truth(call, false)); }
std::vector<Binding> isscalar(Call& call) {
  const Aggregate& a = first(call);
  return one(a.stacked ? call.emit.equal_sizes(count_of(call.emit, a), 1) : truth(call, a.count() == 1));
}
std::vector<Binding> isvector(Call& call) {
  const Aggregate& a = first(call);
  if (a.stacked) return one(call.emit.builder.map(ScalarOp::ge, number(call, count_of(call.emit, a)), number(call, 1)));
  return one(truth(call, (a.rows == 1 || a.cols == 1) && a.count() >= 1));
}
std::vector<Binding> isrow(Call& call) {
  return one(call.emit.equal_sizes(extents_of(call.emit, first(call)).rows, 1));
}
std::vector<Binding> iscolumn(Call& call) {
  return one(call.emit.equal_sizes(extents_of(call.emit, first(call)).cols, 1));
}

ValueId both(Call& call, ValueId a, ValueId b) {
  if (const auto known = call.emit.constant_of(a)) return *known != 0 ? b : a;
  if (const auto known = call.emit.constant_of(b)) return *known != 0 ? a : b;
  return call.emit.builder.map(ScalarOp::logical_and, a, b);
}

ValueId equal(Call& call, const Binding& a, const Binding& b) {
  if (!a.is_aggregate() && !b.is_aggregate())
    return call.walk.call_by_name("isequal", {a, b}, 1, call.span).front().value;
  if (a.kind != b.kind) return truth(call, false);
  if (is_row_of_run(a) || is_row_of_run(b))
    return call.walk.call_by_name("isequal", {a, b}, 1, call.span).front().value;
  const Aggregate &x = *a.aggregate, &y = *b.aggregate;
  if (x.rows != y.rows || x.cols != y.cols || x.slots.size() != y.slots.size()) return truth(call, false);
  ValueId same = truth(call, true);
  for (const Slot& slot : x.slots) {
    const Slot* other = y.find(slot.name);
    if (!other) return truth(call, false);
    for (std::size_t i = 0; i < slot.items.size(); ++i)
      same = both(call, same, equal(call, slot.items[i], other->items[i]));
  }
  return same;
}

std::vector<Binding> isequal(Call& call) {
  ValueId same = truth(call, true);
  for (std::size_t i = 1; i < call.count(); ++i) same = both(call, same, equal(call, call.args[0], call.args[i]));
  return one(same);
}

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
    const ValueId one_line = e.builder.map(ScalarOp::le, e.builder.size(t.rows), e.builder.constant(1, Element::integer));
    e.refuse_unless(one_line, call.name + ": beside cells, how many rows a text of several has must be known while the "
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

// strcmp of cells, against one string or cell by cell
std::vector<Binding> strcmp_of(Call& call) {
  const Binding a = beside_cells(call, call.args[0], call.args[1]), b = beside_cells(call, call.args[1], call.args[0]);
  const Binding& shape = a.is_cell() && (!b.is_cell() || a.aggregate->count() != 1) ? a : b;
  if (!shape.is_cell()) return one(truth(call, false));
  const Aggregate& s = *shape.aggregate;
  if (a.is_cell() && b.is_cell() && a.aggregate->count() != 1 && b.aggregate->count() != 1 &&
      (a.aggregate->rows != b.aggregate->rows || a.aggregate->cols != b.aggregate->cols))
    return one(truth(call, false));
  const auto item = [&](const Binding& of, std::size_t k) -> const Binding& {
    return !of.is_cell() ? of : of.aggregate->count() == 1 ? items_of(of).front() : items_of(of)[k];
  };
  std::vector<ValueId> same;
  for (std::size_t k = 0; k < static_cast<std::size_t>(s.count()); ++k)
    same.push_back(same_text(call, item(a, k), item(b, k)));
  if (same.empty()) return one(call.emit.builder.fill(truth(call, false), s.rows, s.cols));
  return one(literal(call.emit, same, s.rows, s.cols));
}

/// Whether all cells hold strings, as iscellstr.
bool holds_strings(const Binding& cells) { return std::ranges::all_of(items_of(cells), &Binding::is_text); }

bool has_no_elements(Call& call, const Binding& value) {
  if (value.is_cell()) return value.aggregate->count() == 0;
  return value.is_matrix() && call.type(value.value).count().is(0);
}

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

/// Element k of an argument: what a cell holds, one struct of an array, an element of a matrix.
Binding argument_of(Call& call, const Binding& argument, std::int64_t k) {
  if (argument.is_cell()) return items_of(argument)[static_cast<std::size_t>(k)];
  if (argument.is_record()) return selected(argument, {k}, 1, 1);
  const Complex parts = parts_of(call.emit, argument.numbers());
  if (call.type(parts.re).is_scalar()) return argument;
  const Subscripts here{{{SubscriptKind::range, k, 1, 1}}};
  if (argument.is_integer()) return argument.with_value(call.emit.builder.index(parts.re, here, {}, 1, 1));
  return complex_binding(call.emit,
                         each_part(parts, [&](ValueId part) { return call.emit.builder.index(part, here, {}, 1, 1); }));
}

std::pair<std::int64_t, std::int64_t> extents_of(Call& call, const Binding& argument) {
  if (argument.is_aggregate() && argument.aggregate->stacked)
    call.fail("the run finds how many structs there are: write a loop over them");
  if (argument.is_aggregate()) return {argument.aggregate->rows, argument.aggregate->cols};
  if (!argument.is_matrix() && !argument.is_integer() && !argument.is_complex()) call.fail("arguments must be arrays");
  const Type t = call.type(parts_of(call.emit, argument.numbers()).re);
  if (!t.rows.is_constant() || !t.cols.is_constant())
    call.fail("how many results there are must be known while the program is compiled");
  return {t.rows.constant(), t.cols.constant()};
}

/// Single characters as a string of that shape; poisoned where a value is none.
Binding gathered_characters(Call& call, const std::vector<Binding>& values, std::int64_t rows, std::int64_t cols) {
  std::vector<ValueId> characters;
  for (const Binding& value : values) {
    if (!value.is_text()) return {};
    characters.push_back(codes(call.emit, value));
    if (!call.type(characters.back()).is_scalar()) return {};
  }
  if (characters.empty()) return {};
  return Binding::computed_text(literal(call.emit, characters, rows, cols), false);
}

Binding gathered(Call& call, const std::vector<Binding>& values, std::int64_t rows, std::int64_t cols, bool uniform) {
  if (!uniform) return cell_array(rows, cols, values);
  if (const Binding text = gathered_characters(call, values, rows, cols); text.is_text()) return text;
  const bool complex = std::ranges::any_of(values, &Binding::is_complex);
  const IntegerClass integer_class = integer_class_of(values);
  std::vector<ValueId> scalars, imaginary;
  for (const Binding& given : values) {
    if (given.integer_class != integer_class) call.fail("return values must be of the same type (class)");
    const Binding value = given.numbers();
    const bool is_number = value.is_matrix() || value.is_complex();
    Complex parts = is_number ? parts_of(call.emit, value) : Complex{};
    const auto one_element = [&](ValueId part) {
      const Type t = call.type(part);
      return (t.rows.is(1) || !t.rows.is_constant()) && (t.cols.is(1) || !t.cols.is_constant());
    };
    if (!is_number || !one_element(parts.re))
      call.fail("all values must be scalars when UniformOutput = true; use the 'UniformOutput', false option");
    parts.re = as_scalar(call.emit, parts.re, call.span, call.name + ": the value of the function");
    if (parts.im) parts.im = as_scalar(call.emit, parts.im, call.span, call.name + ": the value of the function");
    scalars.push_back(parts.re);
    if (complex) imaginary.push_back(imaginary_part(call.emit, parts));
  }
  if (scalars.empty()) return Binding::matrix(call.emit.builder.fill(number(call, 0), rows, cols));
  const ValueId re = literal(call.emit, scalars, rows, cols);
  if (integer_class != IntegerClass::none) return Binding::integer(integer_class, re);
  return complex ? complex_binding(call.emit, {re, literal(call.emit, imaginary, rows, cols)}) : Binding::matrix(re);
}

/// Whether the run finds how many elements a matrix among the arguments has.
bool counts_by_run(Call& call) {
  for (std::size_t i = 1; i < call.count() && !call.is_text(i); ++i) {
    const Binding& arg = call.args[i];
    if (!arg.is_matrix() && !arg.is_integer()) continue;
    const Type t = call.type(arg.value);
    if (!t.rows.is_constant() || !t.cols.is_constant()) return true;
  }
  return false;
}

std::vector<Binding> each(Call& call) {
  if (counts_by_run(call)) return find_stacked_overload(call.name)->handler(call);
  const bool uniform = takes_uniform_output(call);
  const auto [rows, cols] = extents_of(call, call.args[1]);
  for (std::size_t i = 2; i < call.count(); ++i)
    if (extents_of(call, call.args[i]) != std::pair(rows, cols))
      call.fail("all the input arguments must have the same size and shape (arg 1 and arg " + std::to_string(i) + ")");
  const std::size_t wanted = static_cast<std::size_t>(std::max(call.nargout, 1));
  std::vector<std::vector<Binding>> results(wanted);
  for (std::int64_t k = 0; k < rows * cols; ++k) {
    std::vector<Binding> arguments;
    for (std::size_t i = 1; i < call.count(); ++i) arguments.push_back(argument_of(call, call.args[i], k));
    const Binding& f = call.args[0];
    const std::vector<Binding> values =
        f.is_function() ? call.walk.call_closure(*f.function, std::move(arguments), call.nargout, call.span)
                        : call.walk.call_by_name(call.text(0), std::move(arguments), call.nargout, call.span);
    if (values.size() < wanted && call.nargout == 0) continue;
    for (std::size_t i = 0; i < wanted; ++i) {
      if (i >= values.size()) call.fail("function returned fewer than nargout values");
      results[i].push_back(values[i]);
    }
  }
  if (call.nargout == 0 && rows * cols > 0 && results[0].empty()) return {};
  std::vector<Binding> made;
  for (const auto& values : results) made.push_back(gathered(call, values, rows, cols, uniform));
  return made;
}

}  // namespace

std::vector<Binding> map_elements(Call& call) { return each(call); }

bool takes_uniform_output(Call& call) {
  bool uniform = true;
  while (call.count() > 3 && call.args[call.count() - 2].is_known_text()) {
    const std::string& option = call.args[call.count() - 2].text;
    if (option != "UniformOutput" && option != "uniformoutput")
      call.fail("option \"" + option + "\" is outside the language");
    const auto flag = call.emit.constant_of(call.matrix(call.count() - 1));
    if (!flag) call.fail("\"UniformOutput\" must be true or false");
    uniform = *flag != 0;
    call.args.resize(call.count() - 2);
  }
  return uniform;
}

namespace {

// structfun(f, s): the function of every field
std::vector<Binding> structfun(Call& call) {
  if (!call.args[1].is_record() || call.args[1].aggregate->count() != 1) call.fail("S must be a scalar structure");
  const Aggregate s = *call.args[1].aggregate;
  std::vector<Binding> items;
  for (const Slot& slot : s.slots) items.push_back(slot.items.front());
  const auto count = static_cast<std::int64_t>(items.size());
  call.args[1] = cell_array(count, 1, std::move(items));
  std::vector<Binding> made = each(call);
  for (Binding& result : made) {
    if (!result.is_cell()) continue;
    Aggregate fields{1, 1, {}};
    for (std::size_t k = 0; k < s.slots.size(); ++k) fields.slots.push_back({s.slots[k].name, {items_of(result)[k]}});
    result = Binding::of(Binding::Kind::record, std::move(fields));
  }
  return made;
}

/// cellfun("size", c, k), cellfun("isclass", c, name): the old forms, whose last argument is no cell array.
std::optional<Binding> of_each_cell(Call& call) {
  if (!call.args[0].is_known_text() || call.count() != 3 || !call.args[1].is_cell()) return std::nullopt;
  const std::string& name = call.args[0].text;
  if (name != "size" && name != "isclass") return std::nullopt;
  const Aggregate cells = *call.args[1].aggregate;
  std::vector<Binding> made;
  for (const Binding& item : items_of(call.args[1])) {
    const auto result = [&](const char* function, std::vector<Binding> arguments) {
      return call.walk.call_by_name(function, std::move(arguments), 1, call.span).front();
    };
    made.push_back(name == "size" ? result("size", {item, call.args[2]})
                                  : result("strcmp", {result("class", {item}), call.args[2]}));
  }
  return gathered(call, made, cells.rows, cells.cols, true);
}

std::vector<Binding> cellfun(Call& call) {
  if (const auto made = of_each_cell(call)) return {*made};
  for (std::size_t i = 1; i < call.count() && !(i > 1 && call.is_text(i)); ++i)
    if (!call.args[i].is_cell()) call.fail("C must be a cell array");
  return each(call);
}

std::vector<Binding> transposed(Call& call) {
  const Aggregate& a = first(call);
  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = 0; j < a.cols; ++j) order.push_back(j * a.rows + i);
  return {selected(call.args[0], order, a.cols, a.rows)};
}

std::vector<Binding> reshape(Call& call) {
  const Aggregate& a = first(call);
  std::optional<std::int64_t> given[2];
  if (call.count() == 2) {
    const auto both = numbers_of(call.emit, call.matrix(1));
    const auto whole = [](double number) { return number == std::trunc(number); };
    if (!both || both->size() != 2 || !std::ranges::all_of(*both, whole))
      call.fail("the size must be two numbers that are known while compiling");
    for (std::size_t i = 0; i < 2; ++i) given[i] = static_cast<std::int64_t>((*both)[i]);
  } else {
    constexpr const char* names[] = {"the number of rows", "the number of columns"};
    for (std::size_t i = 0; i < 2; ++i)
      if (!has_no_elements(call, call.args[i + 1])) given[i] = call.constant_integer(i + 1, names[i]);
  }
  if (!given[0] && !given[1]) call.fail("only a single dimension can be unknown");
  for (const auto& each : given)
    if (each && *each < 0) call.fail("SIZE must be non-negative");
  for (std::size_t i = 0; i < 2; ++i) {  // [] is what the other leaves
    if (given[i]) continue;
    const std::int64_t other = *given[1 - i];
    if (other <= 0 || a.count() % other != 0)
      call.fail("SIZE is not divisible by the product of known dimensions (= " + std::to_string(other) + ")");
    given[i] = a.count() / other;
  }
  const std::int64_t rows = *given[0], cols = *given[1];
  if (rows * cols != a.count())
    call.fail("can't reshape " + std::to_string(a.rows) + "x" + std::to_string(a.cols) + " array to " +
              std::to_string(rows) + "x" + std::to_string(cols) + " array");
  Aggregate made = a;
  made.rows = rows;
  made.cols = cols;
  return {Binding::of(call.args[0].kind, std::move(made))};
}

// repmat(c, m, n), repmat(c, [m n]) of a cell array or of structs; fewer than none are none.
std::vector<Binding> repmat(Call& call) {
  const Aggregate& a = first(call);
  if (call.count() == 2)
    if (const auto both = numbers_of(call.emit, call.matrix(1)); both && both->size() == 2) {
      call.args.pop_back();
      for (const double each : *both) call.args.push_back(Binding::matrix(number(call, size_of_number(each))));
    }
  const auto times = [&](std::size_t i, const char* name) {
    return std::max<std::int64_t>(call.constant_integer(i, name), 0);
  };
  const std::int64_t down = times(1, "M"), across = call.count() > 2 ? times(2, "N") : down;
  if (a.stacked) call.fail("how many there are must be known while the program is compiled");
  std::vector<std::int64_t> order;
  for (std::int64_t j = 0; j < a.cols * across; ++j)
    for (std::int64_t i = 0; i < a.rows * down; ++i) order.push_back(j % a.cols * a.rows + i % a.rows);
  return {selected(call.args[0], order, a.rows * down, a.cols * across)};
}

// fliplr and flipud, of a row or column as a whole; flip along the longer side.
std::vector<Binding> flipped(Call& call) {
  const Aggregate& a = first(call);
  const bool rows = call.name == "flipud" || (call.name == "flip" && a.rows > 1);
  std::vector<std::int64_t> order;
  for (std::int64_t j = 0; j < a.cols; ++j)
    for (std::int64_t i = 0; i < a.rows; ++i)
      order.push_back(rows ? j * a.rows + a.rows - 1 - i : (a.cols - 1 - j) * a.rows + i);
  return {selected(call.args[0], order, a.rows, a.cols)};
}

/// Whether the run finds what some of the strings are, which are all that the cells hold.
bool has_computed_strings(Call& call) {
  const bool strings = call.args[0].is_cell() && std::ranges::all_of(items_of(call.args[0]), &Binding::is_text);
  if (!strings) call.fail("only cell arrays of character strings may be sorted");
  return !std::ranges::all_of(items_of(call.args[0]), &Binding::is_known_text);
}

/// The places of the strings of a cell array in their order, the first of equal ones first.
std::vector<std::int64_t> order_of_strings(Call& call, bool descending) {
  const std::vector<Binding>& items = items_of(call.args[0]);
  std::vector<std::int64_t> order(items.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::int64_t>(k);
  std::ranges::stable_sort(order, [&](std::int64_t x, std::int64_t y) {
    const std::string &a = items[static_cast<std::size_t>(x)].text, &b = items[static_cast<std::size_t>(y)].text;
    return descending ? b < a : a < b;
  });
  return order;
}

Binding places(Call& call, const std::vector<std::int64_t>& order, std::int64_t rows, std::int64_t cols) {
  std::vector<ValueId> numbers;
  for (const std::int64_t at : order) numbers.push_back(number(call, at + 1));
  if (numbers.empty()) return Binding::matrix(call.emit.builder.fill(number(call, 0), rows, cols));
  return Binding::matrix(literal(call.emit, numbers, rows, cols));
}

std::vector<Binding> sort(Call& call) {
  if (has_computed_strings(call)) return find_stacked_overload("sort")->handler(call);
  const std::vector<std::int64_t> order = order_of_strings(call, call.count() > 1 && call.text(1) == "descend");
  const Aggregate& a = *call.args[0].aggregate;
  return {selected(call.args[0], order, a.rows, a.cols), places(call, order, a.rows, a.cols)};
}

// unique(c): the strings in order, a row of a row; of equal ones the first place. Places are columns.
std::vector<Binding> unique(Call& call) {
  if (has_computed_strings(call)) return find_stacked_overload("unique")->handler(call);
  const std::vector<std::int64_t> order = order_of_strings(call, false);
  const std::vector<Binding>& items = items_of(call.args[0]);
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
  const bool row = a.rows == 1 && a.cols > 1;
  const std::int64_t rows = row ? 1 : count, cols = row ? count : 1;
  const auto total = static_cast<std::int64_t>(items.size());
  return {selected(call.args[0], kept, rows, cols), places(call, kept, count, 1), places(call, place_of, total, 1)};
}

/// A function of strings, of what each cell holds: in cells again.
std::vector<Binding> of_each_string(Call& call) {
  const Aggregate cells = first(call);
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
  const Aggregate cells = first(call);
  const std::vector<Binding> made = of_each_string(call);
  return {gathered(call, items_of(made.front()), cells.rows, cells.cols, true)};
}

std::vector<Binding> display(Call& call) {
  print_binding(call.emit, "", call.args[0]);
  return {};
}

constexpr Builtin entries[] = {
    {"numel", 1, 1, 1, numel},
    {"length", 1, 1, 1, length},
    {"rows", 1, 1, 1, rows},
    {"columns", 1, 1, 1, columns},
    {"ndims", 1, 1, 1, ndims},
    {"isempty", 1, 1, 1, isempty},
    {"size", 1, 2, 8, size},
    {"class", 1, 1, 1, class_of},
    {"isnumeric", 1, 1, 1, no},
    {"isreal", 1, 1, 1, no},
    {"ischar", 1, 1, 1, no},
    {"isstring", 1, 1, 1, no},
    {"islogical", 1, 1, 1, no},
    {"is_function_handle", 1, 1, 1, no},
    {"issparse", 1, 1, 1, no},
    {"isscalar", 1, 1, 1, isscalar},
    {"isvector", 1, 1, 1, isvector},
    {"isrow", 1, 1, 1, isrow},
    {"iscolumn", 1, 1, 1, iscolumn},
    {"isequal", 2, -1, 1, isequal},
    {"strcmp", 2, 2, 1, strcmp_of},
    {"ismember", 2, 2, 2, ismember},
    {"cellfun", 2, -1, 16, cellfun},
    {"structfun", 2, -1, 16, structfun},
    {"arrayfun", 2, -1, 16, each},
    {"transpose", 1, 1, 1, transposed},
    {"ctranspose", 1, 1, 1, transposed},
    {"reshape", 2, 3, 1, reshape},
    {"repmat", 2, 3, 1, repmat},
    {"fliplr", 1, 1, 1, flipped},
    {"flipud", 1, 1, 1, flipped},
    {"flip", 1, 1, 1, flipped},
    {"sort", 1, 2, 2, sort},
    {"unique", 1, 1, 3, unique},
    {"upper", 1, 1, 1, of_each_string},
    {"lower", 1, 1, 1, of_each_string},
    {"toupper", 1, 1, 1, of_each_string},
    {"tolower", 1, 1, 1, of_each_string},
    {"strtrim", 1, 1, 1, of_each_string},
    {"deblank", 1, 1, 1, of_each_string},
    {"strrep", 3, 3, 1, of_each_string},
    {"regexprep", 3, -1, 1, of_each_string},
    {"strfind", 2, 2, 1, of_each_string},
    {"str2double", 1, 1, 1, numbers_of_strings},
    {"strcmpi", 2, 2, 1, numbers_of_strings},
    {"strncmp", 3, 3, 1, numbers_of_strings},
    {"strncmpi", 3, 3, 1, numbers_of_strings},
    {"startsWith", 2, 2, 1, numbers_of_strings},
    {"endsWith", 2, 2, 1, numbers_of_strings},
    {"disp", 1, 1, 0, display},
    {"assert", 1, -1, 0, assertion},
};

}  // namespace

const Builtin* find_aggregate_overload(std::string_view name) {
  const auto found = std::ranges::find(entries, name, &Builtin::name);
  return found == std::end(entries) ? nullptr : found;
}

}  // namespace lac::frontend
