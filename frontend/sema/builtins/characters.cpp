// upper, strtrim, strrep, isspace, ...: characters of a string one by one, and strings that are known while the program
// is compiled. What a run computes is a row of codes: functions of single characters take it, searches do not.
#include "frontend/sema/builtins/characters.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/strings.h"

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

// Numbers are codes too; a logical one is that of no character that can be seen.
std::vector<Binding> is_of_class(Call& call) {
  Builder& b = call.emit.builder;
  ValueId code = call.is_text(0) ? codes(call.emit, call.args[0]) : call.dense(0);
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
  return {in_case(call.emit, call.args[0], case_of(call.name))};
}

// -- strings that are known

std::string_view trimmed(std::string_view text, std::string_view blank) {
  const std::size_t begin = text.find_first_not_of(blank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blank) + 1 - begin);
}

constexpr std::string_view blank_characters(" \t\n\v\f\r\0", 7);

std::vector<Binding> strtrim(Call& call) {
  if (!call.is_text(0)) call.fail("S argument must be a string or cellstring");
  return {Binding::string(std::string(trimmed(call.text(0), blank_characters)), call.args[0].double_quoted)};
}

std::vector<Binding> deblank(Call& call) {
  if (!call.is_text(0)) call.fail("S argument must be a string or cellstring");
  const std::string& text = call.text(0);
  return {Binding::string(text.substr(0, text.find_last_not_of(blank_characters) + 1), call.args[0].double_quoted)};
}

std::vector<Binding> blanks(Call& call) {
  Builder& b = call.emit.builder;
  const Size n = call.size(0);
  if (n.is_constant()) return {Binding::string(std::string(static_cast<std::size_t>(n.constant()), ' '), true)};
  return {Binding::computed_text(b.fill(b.constant(' ', Element::integer), 1, n), true)};
}

// Where the pattern begins, places that overlap included.
std::vector<std::size_t> places(const std::string& text, const std::string& pattern) {
  std::vector<std::size_t> found;
  if (pattern.empty()) return found;
  for (std::size_t at = text.find(pattern); at != std::string::npos; at = text.find(pattern, at + 1))
    found.push_back(at);
  return found;
}

// Places that overlap are replaced each, as in Octave.
std::vector<Binding> strrep(Call& call) {
  if (!call.is_text(0) || !call.is_text(1) || !call.is_text(2))
    call.fail("STR, PTN, and REP arguments must be strings or cell arrays of strings");
  const std::string &text = call.text(0), &pattern = call.text(1), &replacement = call.text(2);
  std::string made;
  std::size_t done = 0;
  for (const std::size_t at : places(text, pattern)) {
    if (at >= done) made += text.substr(done, at - done);
    made += replacement;
    done = at + pattern.size();
  }
  return {Binding::string(made + text.substr(done), call.args[0].double_quoted)};
}

Binding numbered(Call& call, const std::vector<std::size_t>& found) {
  if (found.empty()) return Binding::matrix(call.emit.nothing());
  return Binding::matrix(row_of_places(call.emit, found));
}

std::vector<Binding> strfind(Call& call) {
  if (!call.is_text(0)) call.fail("STR must be a string or cell array of strings");
  if (!call.is_text(1)) call.fail("PATTERN must be a string or cell array of strings");
  return {numbered(call, places(call.text(0), call.text(1)))};
}

std::vector<Binding> index_of(Call& call) {
  if (!call.is_text(0) || !call.is_text(1)) call.fail("S and T must be strings");
  const auto found = places(call.text(0), call.text(1));
  const bool last = call.name == "rindex";
  const double place = found.empty() ? 0 : 1.0 + static_cast<double>(last ? found.back() : found.front());
  return one(call.emit.builder.constant(place, call.emit.graph.precision));
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

std::vector<Binding> strncmp(Call& call) {
  const std::int64_t given = call.constant_integer(2, "N");
  if (given <= 0) call.fail("N must be greater than 0");
  if (!call.is_text(0) || !call.is_text(1)) return truth(call, false);
  const auto n = static_cast<std::size_t>(given);
  std::string a = call.text(0), b = call.text(1);
  if (call.name == "strncmpi") {
    a = in_case(a, case_of("lower"));
    b = in_case(b, case_of("lower"));
  }
  const bool longer = a.size() < n || b.size() < n;
  return truth(call, longer ? a == b : a.compare(0, n, b, 0, n) == 0);
}

std::vector<Binding> begins_or_ends(Call& call) {
  if (!call.is_text(0)) call.fail("STR must be a string or cell array of strings");
  if (!call.is_text(1)) call.fail("PATTERN must be a string or cell array of strings");
  const std::string &text = call.text(0), &pattern = call.text(1);
  return truth(call, call.name == "startsWith" ? text.starts_with(pattern) : text.ends_with(pattern));
}

// -- numbers in strings

// A decimal number, Inf, NaN or NA with a sign and blanks around it; commas are left out. Nothing else is a number.
std::optional<double> number_in(std::string text) {
  std::erase(text, ',');
  std::string_view rest = trimmed(text, blank_characters);
  double sign = 1;
  for (int k = 0; k < 2 && (rest.starts_with('-') || rest.starts_with('+')); ++k) {  // two signs, as in Octave
    if (rest.front() == '-') sign = -sign;
    rest = trimmed(rest.substr(1), blank_characters);
  }
  if (rest.starts_with('-') || rest.starts_with('+')) return {};
  const std::string small = in_case(std::string(rest), case_of("lower"));
  if (small == "inf") return sign * std::numeric_limits<double>::infinity();
  if (small == "nan" || rest == "NA") return std::numeric_limits<double>::quiet_NaN();
  if (rest.empty() || rest.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return {};
  const std::string digits(rest);
  char* end = nullptr;
  const double value = std::strtod(digits.c_str(), &end);
  if (end != digits.c_str() + digits.size() || std::isinf(value)) return {};
  return sign * value;
}

std::vector<Binding> str2double(Call& call) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  if (!call.is_text(0)) return one(call.emit.builder.constant(none, call.emit.graph.precision));
  const std::string& text = call.text(0);
  if (text.find_first_of("ij") != std::string::npos && text.find_first_of("0123456789") != std::string::npos)
    call.fail("a complex number in a string is not read: give the real and the imaginary part as strings of their own");
  return one(call.emit.builder.constant(number_in(text).value_or(none), call.emit.graph.precision));
}

std::vector<std::string> parts_of(const std::string& text, std::string_view separators) {
  std::vector<std::string> parts;
  for (std::size_t begin = text.find_first_not_of(separators); begin != std::string::npos;) {
    const std::size_t end = text.find_first_of(separators, begin);
    parts.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(separators, end);
  }
  return parts;
}

// A number, or a matrix of numbers: the text is no program.
std::vector<Binding> str2num(Call& call) {
  if (!call.is_text(0)) call.fail("S must be a string or string array");
  std::string_view text = trimmed(call.text(0), blank_characters);
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  std::vector<double> numbers;
  const std::vector<std::string> lines = parts_of(std::string(text), ";\n");
  std::size_t columns = 0;
  for (const std::string& line : lines) {
    const std::vector<std::string> parts = parts_of(line, " ,\t");
    if (&line != &lines.front() && parts.size() != columns)
      call.fail("rows of different lengths in '" + call.text(0) + "'");
    columns = parts.size();
    for (const std::string& part : parts) {
      const std::optional<double> number = number_in(part);
      if (!number) call.fail("'" + part + "' is no number, and a string is no program: write the expression itself");
      numbers.push_back(*number);
    }
  }
  if (numbers.empty()) return one(call.emit.nothing());
  return one(matrix_by_rows(call.emit, numbers, lines.size()));
}

// char(x): the characters with these codes. char(a, b, ...): strings as rows, filled with blanks.
std::vector<Binding> char_of(Call& call) {
  if (call.count() == 1 && call.args[0].is_cell()) {
    std::vector<std::string> lines;
    for (const Binding& item : call.args[0].aggregate->slots.front().items) {
      if (!item.is_known_text()) call.fail("the strings in the cells must be known before the program runs");
      lines.push_back(item.text);
    }
    return {rows_of_text(call, std::move(lines))};
  }
  if (call.count() == 1) {
    if (call.is_text(0)) return {call.args[0]};
    return {Binding::computed_text(call.emit.builder.convert(call.dense(0), Element::integer), false)};
  }
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < call.count(); ++i) lines.push_back(call.text(i));
  return {rows_of_text(call, std::move(lines))};
}

constexpr Builtin entries[] = {
    {"upper", 1, 1, 1, change_case},       {"toupper", 1, 1, 1, change_case},   {"lower", 1, 1, 1, change_case},
    {"tolower", 1, 1, 1, change_case},     {"isalnum", 1, 1, 1, is_of_class},   {"isalpha", 1, 1, 1, is_of_class},
    {"isdigit", 1, 1, 1, is_of_class},     {"isletter", 1, 1, 1, is_of_class},  {"islower", 1, 1, 1, is_of_class},
    {"ispunct", 1, 1, 1, is_of_class},     {"isspace", 1, 1, 1, is_of_class},   {"isupper", 1, 1, 1, is_of_class},
    {"isxdigit", 1, 1, 1, is_of_class},    {"strtrim", 1, 1, 1, strtrim},       {"deblank", 1, 1, 1, deblank},
    {"blanks", 1, 1, 1, blanks},           {"strrep", 3, 3, 1, strrep},         {"strfind", 2, 2, 1, strfind},
    {"index", 2, 2, 1, index_of},          {"rindex", 2, 2, 1, index_of},       {"strcmpi", 2, 2, 1, strcmpi},
    {"strncmp", 3, 3, 1, strncmp},         {"strncmpi", 3, 3, 1, strncmp},      {"startsWith", 2, 2, 1, begins_or_ends},
    {"endsWith", 2, 2, 1, begins_or_ends}, {"str2double", 1, 1, 1, str2double}, {"str2num", 1, 1, 1, str2num},
    {"char", 1, -1, 1, char_of},
};

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

Binding rows_of_text(Call& call, std::vector<std::string> lines) {
  std::size_t longest = 0;
  for (const std::string& line : lines) longest = std::max(longest, line.size());
  std::vector<Binding> rows;
  for (std::string& line : lines) {
    line.resize(longest, ' ');
    rows.push_back(Binding::string(std::move(line), false));
  }
  if (rows.empty()) return Binding::string("", false);
  return stack_strings(call.emit, rows, call.span);
}

std::span<const Builtin> character_builtins() { return entries; }

}  // namespace lac::frontend
