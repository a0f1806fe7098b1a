// upper, strtrim, strrep, isspace, ...: characters of a string one by one, searches and numbers in strings. What is
// known while the program is compiled is done then (ir/support/text_edit.h); of strings that the run makes, which are
// rows of codes, functions of single characters are kernels and the others steps.
#include "frontend/sema/builtins/characters.h"

#include <algorithm>
#include <complex>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/arms.h"
#include "frontend/sema/values/checks.h"
#include "frontend/sema/values/known_text.h"
#include "frontend/sema/values/sparse.h"
#include "frontend/sema/values/strings.h"
#include "ir/support/number_in_text.h"

namespace lac::frontend {
namespace {

// -- single characters

struct Class {
  std::string_view function;
  std::vector<std::pair<int, int>> ranges;  ///< of codes, both ends included
};

const Class& class_named(std::string_view function) {
  static const Class classes[] = {
      {"isalnum", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}},
      {"isalpha", {{'A', 'Z'}, {'a', 'z'}}},
      {"isdigit", {{'0', '9'}}},
      {"isletter", {{'A', 'Z'}, {'a', 'z'}}},
      {"islower", {{'a', 'z'}}},
      {"ispunct", {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}},
      {"isspace", {{'\t', '\r'}, {' ', ' '}}},
      {"isupper", {{'A', 'Z'}}},
      {"isxdigit", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}},
  };
  return *std::ranges::find(classes, function, &Class::function);
}

ValueId within(Emitter& e, ValueId code, const std::pair<int, int>& range) {
  Builder& b = e.builder;
  const Element element = e.type(code).element;
  return b.map(ScalarOp::logical_and, b.map(ScalarOp::ge, code, b.constant(range.first, element)),
               b.map(ScalarOp::le, code, b.constant(range.second, element)));
}

bool is_of_letters(std::string_view function) {
  return std::ranges::any_of(class_named(function).ranges, [](const auto& range) {
    return range == std::pair<int, int>{'a', 'z'} || range == std::pair<int, int>{'A', 'Z'};
  });
}

// Letters of other alphabets are several codes each, which only their alphabets tell apart.
void require_ascii(Call& call) {
  const auto is_beyond = [](const std::string& row) {
    return std::ranges::any_of(row, [](char c) { return static_cast<unsigned char>(c) > 127; });
  };
  const auto rows = known_rows(call.emit, call.args[0]);
  if (rows && std::ranges::any_of(*rows, is_beyond))
    call.fail("letters that are not of ASCII are outside the language here");
}

// Numbers are codes too; a logical one is that of no character that can be seen.
std::vector<Binding> is_of_class(Call& call) {
  Builder& b = call.emit.builder;
  if (call.is_text(0) && is_of_letters(call.name)) require_ascii(call);
  ValueId code = call.is_text(0) ? characters(call.emit, call.args[0]) : call.dense(0);
  if (call.type(code).element == Element::logical) code = b.convert(code, Element::integer);
  ValueId any = {};
  for (const auto& range : class_named(call.name).ranges) {
    const ValueId here = within(call.emit, code, range);
    any = any ? b.map(ScalarOp::logical_or, any, here) : here;
  }
  return one(any);
}

constexpr int case_distance = 'a' - 'A';

struct Case {
  std::pair<int, int> from;
  int by;
};

Case case_of(std::string_view function) {
  const bool up = function == "upper" || function == "toupper";
  return up ? Case{{'a', 'z'}, -case_distance} : Case{{'A', 'Z'}, case_distance};
}

std::string in_case(std::string text, const Case& c) {
  for (char& letter : text)
    if (letter >= c.from.first && letter <= c.from.second) letter = static_cast<char>(letter + c.by);
  return text;
}

Binding in_case(Emitter& e, const Binding& text, const Case& c) {
  if (text.is_known_text()) return Binding::string(in_case(text.text, c), text.double_quoted);
  Builder& b = e.builder;
  const ValueId moved = b.map(ScalarOp::add, text.value, b.constant(c.by, Element::integer));
  return Binding::computed_text(b.map(ScalarOp::select, within(e, text.value, c.from), moved, text.value),
                                text.double_quoted);
}

std::vector<Binding> change_case(Call& call) {
  if (!call.is_text(0)) return {call.args[0]};
  require_ascii(call);
  return {in_case(call.emit, call.args[0], case_of(call.name))};
}

// -- blanks

/// Without blanks at the end and, where `both_ends`, at the beginning. Octave keeps what has no characters as it is
/// where it only looks at the end.
Binding stripped(Call& call, bool both_ends) {
  if (!call.is_text(0)) call.fail("S argument must be a string or cellstring");
  const Binding& s = call.args[0];
  Emitter& e = call.emit;
  if (s.is_known_text()) {
    const std::string_view text = s.text;
    return Binding::string(std::string(both_ends ? trimmed(text, space_characters)
                                                 : text.substr(0, text.find_last_not_of(blank_characters) + 1)),
                           s.double_quoted);
  }
  const Type t = call.type(s.value);
  const ValueId ends = e.builder.constant(both_ends ? 1 : 0, Element::integer);
  const ValueId keeps_shape = both_ends ? ValueId() : e.equal_sizes(t.count(), 0);
  return text_step_or_nothing(e, LibraryFn::text_strip, LibraryFn::text_strip_length, {s.value, ends}, t.rows,
                              s.double_quoted, keeps_shape);
}

std::vector<Binding> strtrim(Call& call) { return {stripped(call, true)}; }
std::vector<Binding> deblank(Call& call) { return {stripped(call, false)}; }

std::vector<Binding> blanks(Call& call) {
  Builder& b = call.emit.builder;
  const ValueId given = call.dense(0), zero = b.constant(0, call.type(given).element);
  const std::string complaint = "N must be a non-negative integer";
  if (!call.type(given).rows.is(1) || !call.type(given).cols.is(1)) call.fail(complaint);
  const ValueId fine = b.map(ScalarOp::logical_and, b.map(ScalarOp::ge, given, zero),
                             b.map(ScalarOp::eq, given, b.map(ScalarOp::fix, given)));
  if (call.emit.constant_of(fine) == 0.0) call.fail(complaint);
  if (!call.emit.constant_of(fine)) call.emit.require(fine, call.name + ": " + complaint, {});
  const Size n = call.size(0);
  if (n.is_constant()) return {Binding::string(std::string(static_cast<std::size_t>(n.constant()), ' '), true)};
  return {Binding::computed_text(b.fill(b.constant(' ', Element::integer), 1, n), true)};
}

// -- searches

bool all_known(const Call& call, std::size_t strings) {
  for (std::size_t i = 0; i < strings; ++i)
    if (!call.args[i].is_known_text()) return false;
  return true;
}

bool has_several_rows(const Call& call, std::size_t i) {
  if (call.args[i].is_known_text()) return false;
  const Size& rows = call.type(call.args[i].value).rows;
  return rows.is_constant() && rows.constant() > 1;
}

std::vector<Binding> strrep(Call& call) {
  if (!call.is_text(0) || !call.is_text(1) || !call.is_text(2))
    call.fail("STR, PTN, and REP arguments must be strings or cell arrays of strings");
  const Binding& s = call.args[0];
  if (all_known(call, 3)) return {Binding::string(replaced(s.text, call.text(1), call.text(2)), s.double_quoted)};
  Emitter& e = call.emit;
  const std::vector<ValueId> operands = {codes(e, s), codes(e, call.args[1]), codes(e, call.args[2])};
  if (has_several_rows(call, 0)) call.fail("of a matrix of characters is outside the language: go over its rows");
  const ValueId nothing = e.equal_sizes(call.type(operands[0]).count(), 0);
  return {text_step_or_nothing(e, LibraryFn::text_replace, LibraryFn::text_replace_length, operands, 1, s.double_quoted,
                               nothing)};
}

/// Where the pattern begins, as a row.
ValueId beginnings(Call& call, const Size& rows_of_none) {
  Emitter& e = call.emit;
  return row_step(e, LibraryFn::text_find, LibraryFn::text_find_length,
                  {codes(e, call.args[0]), codes(e, call.args[1])}, rows_of_none);
}

std::vector<Binding> strfind(Call& call) {
  if (!call.is_text(0)) call.fail("STR must be a string or cell array of strings");
  if (!call.is_text(1)) call.fail("PATTERN must be a string or cell array of strings");
  if (!all_known(call, 2)) return one(beginnings(call, 0));
  const std::vector<std::size_t> found = places_of(call.text(1), call.text(0));
  return one(found.empty() ? call.emit.nothing() : row_of_places(call.emit, found));
}

// index(s, t), rindex(s, t): the first or last place, 0 where there is none.
std::vector<Binding> index_of(Call& call) {
  if (!call.is_text(0) || !call.is_text(1)) call.fail("S and T must be strings");
  Emitter& e = call.emit;
  const bool last = call.name == "rindex" || (call.count() > 2 && call.text(2) == "last");
  if (call.count() > 2 && !last && call.text(2) != "first") call.fail("DIRECTION must be either \"first\" or \"last\"");
  if (all_known(call, 2)) {
    const auto found = places_of(call.text(1), call.text(0));
    const double place = found.empty() ? 0 : 1.0 + static_cast<double>(last ? found.back() : found.front());
    return one(e.builder.constant(place, e.graph.precision));
  }
  const ValueId found = beginnings(call, 1);
  const Size count = call.type(found).cols;
  return one(branch_value(
      e, e.equal_sizes(count, 0), [&] { return e.builder.constant(0, Element::integer); },
      [&] {
        const Subscripts place{{{SubscriptKind::range, last ? count - 1 : Size(0), 1, 1}}};
        return e.builder.index(found, place, {}, 1, 1);
      }));
}

std::vector<Binding> truth(Call& call, bool value) {
  return one(call.emit.builder.constant(value ? 1 : 0, Element::logical));
}

// What is no string equals none.
std::vector<Binding> strcmpi(Call& call) {
  if (!call.is_text(0) || !call.is_text(1)) return truth(call, false);
  const Case down = case_of("lower");
  return one(same_strings(call.emit, in_case(call.emit, call.args[0], down), in_case(call.emit, call.args[1], down)));
}

/// Whether the first n characters agree; of strings of which one is shorter, whether all do.
ValueId begin_alike(Call& call, const Binding& a, const Binding& b, ValueId n) {
  Emitter& e = call.emit;
  const auto number = e.constant_of(n);
  if (number && a.is_known_text() && b.is_known_text()) {
    const auto count = static_cast<std::size_t>(*number);
    const bool longer = a.text.size() < count || b.text.size() < count;
    return truth(call, longer ? a.text == b.text : a.text.compare(0, count, b.text, 0, count) == 0)[0].value;
  }
  return e.builder.library(LibraryFn::text_begins, {codes(e, a), codes(e, b), n}, {Type::scalar(Element::logical)})[0];
}

std::vector<Binding> strncmp(Call& call) {
  Emitter& e = call.emit;
  const ValueId n = as_integer(e, call.scalar(2), call.name + ": N must be an integer, not %g");
  const ValueId fine = e.builder.map(ScalarOp::gt, n, e.builder.constant(0, Element::integer));
  if (e.constant_of(fine) == 0.0) call.fail("N must be greater than 0");
  e.require(fine, call.name + ": N must be greater than 0", {});
  if (!call.is_text(0) || !call.is_text(1)) return truth(call, false);
  Binding a = call.args[0], b = call.args[1];
  if (call.name == "strncmpi") {
    a = in_case(e, a, case_of("lower"));
    b = in_case(e, b, case_of("lower"));
  }
  return one(begin_alike(call, a, b, n));
}

std::vector<Binding> begins_or_ends(Call& call) {
  if (!call.is_text(0)) call.fail("STR must be a string or cell array of strings");
  if (!call.is_text(1)) call.fail("PATTERN must be a string or cell array of strings");
  const bool at_end = call.name == "endsWith";
  if (all_known(call, 2)) {
    const std::string &text = call.text(0), &pattern = call.text(1);
    return truth(call, at_end ? text.ends_with(pattern) : text.starts_with(pattern));
  }
  Binding text = call.args[0], pattern = call.args[1];
  if (at_end)
    for (Binding* each : {&text, &pattern}) *each = call.walk.call_by_name("fliplr", {*each}, 1, call.span).front();
  const ValueId n = call.emit.builder.size(call.type(codes(call.emit, pattern)).count());
  return one(begin_alike(call, text, pattern, n));
}

// -- numbers in strings

// A row of characters is one number, also where it has none.
std::vector<Binding> str2double(Call& call) {
  Emitter& e = call.emit;
  const Element real = e.graph.precision;
  if (!call.is_text(0)) return one(e.builder.constant(std::numeric_limits<double>::quiet_NaN(), real));
  if (call.args[0].is_known_text()) {
    const std::complex<double> number = number_in_text(call.text(0)).value_or(std::numeric_limits<double>::quiet_NaN());
    const auto part = [&](double value) { return e.builder.constant(value, real); };
    if (number.imag() == 0) return one(part(number.real()));
    return one(call, {part(number.real()), part(number.imag())});
  }
  const ValueId s = call.args[0].value;
  if (call.type(s).cols.is(0)) return one(e.builder.constant(std::numeric_limits<double>::quiet_NaN(), real));
  const Size& rows = call.type(s).rows;
  const bool row = e.facts.less_equal(e.graph, rows, 1);
  const Type result = row ? Type::scalar(real) : Type::matrix(real, e.larger(rows, 1), 1);
  return one(e.builder.library(LibraryFn::text_number, {s}, {result})[0]);
}

// [x, ok] = str2num(s): a number, or a matrix of numbers; a string that is known may be any expression.
std::vector<Binding> str2num(Call& call) {
  if (!call.is_text(0)) call.fail("S must be a string or string array");
  Emitter& e = call.emit;
  const Binding ok = truth(call, true)[0];
  if (call.args[0].is_known_text()) {
    const Result<NumberRows> numbers = numbers_in(call.text(0));
    if (!numbers) {
      const std::optional<Binding> found = call.walk.value_if_any("[" + call.text(0) + "]", call.span);
      if (!found) return {Binding::matrix(e.nothing()), truth(call, false)[0]};
      const Binding& value = *found;
      if (!value.is_matrix() && !value.is_complex() && !value.is_integer())
        call.fail("'" + call.text(0) + "' gives no numbers");
      return {value, ok};
    }
    const NumberRows& n = numbers.value();
    return {Binding::matrix(n.rows == 0 ? e.nothing() : matrix_by_rows(e, n.by_rows, n.rows)), ok};
  }
  const Binding made = matrix_step(e, LibraryFn::text_numbers, LibraryFn::text_numbers_size, {call.args[0].value});
  if (call.nargout < 2) return {made};
  const ValueId blank = e.builder.map(ScalarOp::le, call.args[0].value, e.builder.constant(' ', Element::integer));
  const ValueId nothing = e.type(blank).is_scalar() ? blank : e.builder.reduce(blank, {ReduceOp::all, Axis::all});
  const ValueId some =
      e.builder.map(ScalarOp::gt, e.builder.size(e.type(made.value).count()), e.builder.constant(0, Element::integer));
  return {made, Binding::matrix(e.builder.map(ScalarOp::logical_or, some, nothing))};
}

// char(x): the characters with these codes. char(a, b, ...): strings as rows, filled with blanks.
std::vector<Binding> char_of(Call& call) {
  if (call.count() == 1 && call.args[0].is_cell()) return {rows_of_text(call, items_of(call.args[0]))};
  if (call.count() > 1) return {rows_of_text(call, call.args)};
  if (call.is_text(0)) return {call.args[0]};
  return {Binding::computed_text(call.emit.builder.convert(call.dense(0), Element::integer), false)};
}

}  // namespace

ValueId row_of_places(Emitter& e, const std::vector<std::size_t>& places) {
  std::vector<double> numbers;
  for (const std::size_t place : places) numbers.push_back(static_cast<double>(place) + 1);
  return matrix_by_rows(e, numbers, 1);
}

ValueId matrix_by_rows(Emitter& e, const std::vector<double>& numbers, std::size_t rows) {
  const std::size_t columns = numbers.size() / rows;
  if (numbers.size() == 1) return e.builder.constant(numbers[0], e.graph.precision);
  std::vector<double> stored;
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t i = 0; i < rows; ++i) stored.push_back(numbers[i * columns + j]);
  return e.builder.table(std::move(stored), e.graph.precision, static_cast<std::int64_t>(rows),
                         static_cast<std::int64_t>(columns));
}

Binding rows_of_text(Call& call, std::vector<Binding> lines) {
  Emitter& e = call.emit;
  Size longest = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].is_matrix())
      lines[i] = Binding::computed_text(e.builder.convert(dense(e, lines[i].value), Element::integer), false);
    if (!lines[i].is_text()) call.fail("wrong type argument: what stands below each other must be strings");
    longest = e.larger(longest, call.type(codes(e, lines[i])).cols);
  }
  if (lines.empty()) return Binding::string("", false);
  const bool known = std::ranges::all_of(lines, &Binding::is_known_text);
  if (known)
    for (Binding& line : lines) line.text.resize(static_cast<std::size_t>(longest.constant()), ' ');
  if (known) return stack_strings(e, lines, call.span);
  return padded_rows(e, lines, longest);
}

std::span<const Builtin> character_builtins() {
  static constexpr Builtin entries[] = {
      {"upper", 1, 1, 1, change_case},       {"toupper", 1, 1, 1, change_case},
      {"lower", 1, 1, 1, change_case},       {"tolower", 1, 1, 1, change_case},
      {"isalnum", 1, 1, 1, is_of_class},     {"isalpha", 1, 1, 1, is_of_class},
      {"isdigit", 1, 1, 1, is_of_class},     {"isletter", 1, 1, 1, is_of_class},
      {"islower", 1, 1, 1, is_of_class},     {"ispunct", 1, 1, 1, is_of_class},
      {"isspace", 1, 1, 1, is_of_class},     {"isupper", 1, 1, 1, is_of_class},
      {"isxdigit", 1, 1, 1, is_of_class},    {"strtrim", 1, 1, 1, strtrim},
      {"deblank", 1, 1, 1, deblank},         {"blanks", 1, 1, 1, blanks},
      {"strrep", 3, 3, 1, strrep},           {"strfind", 2, 2, 1, strfind},
      {"index", 2, 3, 1, index_of},          {"rindex", 2, 2, 1, index_of},
      {"strcmpi", 2, 2, 1, strcmpi},         {"strncmp", 3, 3, 1, strncmp},
      {"strncmpi", 3, 3, 1, strncmp},        {"startsWith", 2, 2, 1, begins_or_ends},
      {"endsWith", 2, 2, 1, begins_or_ends}, {"str2double", 1, 1, 1, str2double},
      {"str2num", 1, 1, 2, str2num},         {"char", 1, -1, 1, char_of},
  };
  return entries;
}

}  // namespace lac::frontend
