// strtok, ostrsplit, validatestring, sscanf, ...: words, choices and numbers in strings that are known while the
// program is compiled.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/sema/builtins/builtins.h"
#include "frontend/sema/builtins/characters.h"
#include "frontend/sema/values/aggregate.h"
#include "frontend/sema/values/concatenation.h"
#include "frontend/sema/values/strings.h"
#include "ir/support/printf.h"

namespace lac::frontend {
namespace {

Binding text_of(std::string text) { return Binding::string(std::move(text), false); }

// [word, rest] = strtok(s[, separators])
std::vector<Binding> strtok(Call& call) {
  if (!call.is_text(0)) call.fail("STR must be a character string or cell array of strings.");
  const std::string& text = call.text(0);
  const std::string separators = call.count() > 1 ? call.text(1) : std::string("\0\f\n\v\t\r ", 7);
  const std::size_t begin = std::min(text.find_first_not_of(separators), text.size());
  const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
  return {text_of(text.substr(begin, end - begin)), text_of(text.substr(end))};
}

// substr(s, offset[, length])
std::vector<Binding> substr(Call& call) {
  const std::string& text = call.text(0);
  const auto size = static_cast<std::int64_t>(text.size());
  const std::int64_t offset = call.constant_integer(1, "OFFSET");
  const std::int64_t left = size - offset + 1;
  const std::int64_t length = call.count() > 2 ? call.constant_integer(2, "LEN") : left;
  if (offset < 1 || offset > size) call.fail("OFFSET must be in the range 1 to " + std::to_string(size));
  if (length < 0 || length > left) call.fail("length LEN must be in the range 0 to " + std::to_string(left));
  return {text_of(text.substr(static_cast<std::size_t>(offset) - 1, static_cast<std::size_t>(length)))};
}

// ostrsplit(s, separators[, whether empty parts are left out]): every character of `separators` separates.
std::vector<Binding> ostrsplit(Call& call) {
  if (!call.is_text(0)) call.fail("S and SEP must be string values");
  const std::string &text = call.text(0), &separators = call.text(1);
  const bool strip = call.count() > 2 && call.constant_integer(2, "STRIP_EMPTY") != 0;
  std::vector<Binding> parts;
  for (std::size_t begin = 0, end = 0; end != text.size(); begin = end + 1) {
    end = std::min(text.find_first_of(separators, begin), text.size());
    if (!strip || end > begin) parts.push_back(text_of(text.substr(begin, end - begin)));
    if (end + 1 == text.size() && !strip) parts.push_back(text_of(""));
    if (end + 1 == text.size()) break;
  }
  const auto count = static_cast<std::int64_t>(parts.size());
  return {cell_array(1, count, std::move(parts))};
}

std::vector<Binding> cellstr(Call& call) {
  if (call.args[0].is_cell()) return {call.args[0]};
  if (!call.is_text(0)) call.fail("argument STRING must be a 2-D character array");
  const std::string& text = call.text(0);
  return {cell_array(1, 1, {text_of(text.substr(0, text.find_last_not_of(' ') + 1))})};
}

std::vector<Binding> cstrcat(Call& call) {
  for (std::size_t i = 0; i < call.count(); ++i)
    if (!call.is_text(i)) call.fail("arguments must be character strings");
  if (call.count() == 0) return {text_of("")};
  return {join_strings(call.emit, call.args, call.span)};
}

// The strings of all arguments below each other, filled with blanks; strvcat leaves empty ones out.
std::vector<Binding> strvcat(Call& call) {
  std::vector<std::string> lines;
  for (const Binding& argument : call.args) {
    const std::vector<Binding> each = argument.is_cell() ? items_of(argument) : std::vector{argument};
    for (const Binding& line : each) {
      if (!line.is_known_text()) call.fail("the strings must be known before the program runs");
      if (!line.text.empty()) lines.push_back(line.text);
    }
  }
  if (lines.empty()) return {text_of("")};
  return {rows_of_text(call, lines)};
}

// validatestring(s, choices[, function[, variable[, position]]])
std::vector<Binding> validatestring(Call& call) {
  if (!call.is_text(0)) call.fail("STR must be a single character string");
  if (!call.args[1].is_cell()) call.fail("STRARRAY must be a cellstr");
  const std::string given = lower_case(call.text(0));
  std::vector<std::string> matches, choices;
  for (const Binding& item : items_of(call.args[1])) {
    if (!item.is_known_text()) call.fail("STRARRAY must be a cellstr");
    choices.push_back(item.text);
    if (lower_case(item.text).starts_with(given)) matches.push_back(item.text);
  }
  const auto listed = [](const std::vector<std::string>& texts) {
    std::string list;
    for (const std::string& text : texts) list += (list.empty() ? "'" : ", '") + text + "'";
    return list;
  };
  const std::string named = call.count() > 2 && !call.text(2).empty() ? call.text(2) : call.name;
  std::string about = named + ": '" + call.text(0) + "' ";
  if (call.count() > 3) about += "(variable " + call.text(3) + ") ";
  if (matches.empty()) call.emit.fail(call.span, about + "does not match any of\n" + listed(choices));
  const std::string shortest = *std::ranges::min_element(matches, {}, &std::string::size);
  for (const std::string& match : matches)
    if (!lower_case(match).starts_with(lower_case(shortest)))
      call.emit.fail(call.span, about + "matches multiple possible values:\n" + listed(matches));
  return {text_of(shortest)};
}

// -- sscanf

/// A part of a template: blanks, a text that must stand there, or a conversion.
struct Part {
  char conversion = 0;  ///< 0: `text`, blank where any blanks match
  std::string text;
  bool skipped = false;
  std::size_t width = std::string::npos;
};

constexpr double most_rows = 1e9;  // of what sscanf makes: more numbers than any string has

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::vector<Part> parts_of(Call& call, std::string_view format) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < format.size();) {
    if (is_blank(format[i])) {
      while (i < format.size() && is_blank(format[i])) ++i;
      parts.push_back({0, " "});
      continue;
    }
    if (format[i] != '%' || (i + 1 < format.size() && format[i + 1] == '%')) {
      parts.push_back({0, std::string(1, format[i])});
      i += format[i] == '%' ? 2 : 1;
      continue;
    }
    Part part;
    ++i;
    if (i < format.size() && format[i] == '*') {
      part.skipped = true;
      ++i;
    }
    const std::size_t digits = i;
    while (i < format.size() && std::isdigit(static_cast<unsigned char>(format[i]))) ++i;
    if (i > digits && i - digits <= 9) part.width = std::stoul(std::string(format.substr(digits, i - digits)));
    while (i < format.size() && (format[i] == 'l' || format[i] == 'h')) ++i;
    if (i == format.size() || std::string_view("diufgexosc").find(format[i]) == std::string_view::npos)
      call.fail("this conversion is outside the language: %d, %i, %u, %f, %g, %e, %x, %o, %s and %c are inside");
    part.conversion = format[i++];
    parts.push_back(part);
  }
  return parts;
}

/// The longest number at the beginning, and how many characters it takes.
struct Number {
  double value;
  std::size_t length;
};

std::optional<Number> number_at(const std::string& text, char conversion) {
  char* end = nullptr;
  const char* begin = text.c_str();
  double value = 0;
  if (std::string_view("fge").find(conversion) != std::string_view::npos) {
    // as Octave, which reads no hexadecimal fractions
    const std::size_t hexadecimal = text.find_first_of("xX");
    const std::string plain = text.substr(0, hexadecimal);
    value = std::strtod(plain.c_str(), &end);
    if (end == plain.c_str()) return {};
    return Number{value, static_cast<std::size_t>(end - plain.c_str())};
  }
  const int base = conversion == 'x' ? 16 : conversion == 'o' ? 8 : conversion == 'i' ? 0 : 10;
  value = static_cast<double>(std::strtoll(begin, &end, base));
  if (end == begin) return {};
  return Number{value, static_cast<std::size_t>(end - begin)};
}

/// What the template finds in a text: numbers, and codes of characters.
struct Scanned {
  std::vector<double> values;
  bool characters_alone = true;  ///< nothing but %s and %c was converted
};

// Applies one part; false where the text does not go on as it says.
bool scan(const Part& part, const std::string& text, std::size_t& at, Scanned& scanned) {
  if (part.conversion == 0 && part.text == " ") {
    while (at < text.size() && is_blank(text[at])) ++at;
    return true;
  }
  if (part.conversion == 0) {
    if (at >= text.size() || text[at] != part.text[0]) return false;
    ++at;
    return true;
  }
  if (part.conversion != 'c')
    while (at < text.size() && is_blank(text[at])) ++at;
  if (at >= text.size()) return false;
  if (part.conversion == 's' || part.conversion == 'c') {
    std::size_t end = at;
    const std::size_t most = part.conversion == 'c' && part.width == std::string::npos ? 1 : part.width;
    while (end < text.size() && end - at < most && (part.conversion == 'c' || !is_blank(text[end]))) ++end;
    for (; at < end; ++at)
      if (!part.skipped) scanned.values.push_back(static_cast<unsigned char>(text[at]));
    return true;
  }
  const auto number = number_at(text.substr(at, part.width), part.conversion);
  if (!number) return false;
  at += number->length;
  if (part.skipped) return true;
  scanned.values.push_back(number->value);
  scanned.characters_alone = false;
  return true;
}

// The template is used again until the text ends or differs.
Scanned scanned_by(Call& call, const std::string& text, const std::vector<Part>& parts) {
  Scanned scanned;
  const bool converts = std::ranges::any_of(parts, [](const Part& part) { return part.conversion != 0; });
  if (!converts) call.fail("the template has no conversion");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t before = at;
    for (const Part& part : parts)
      if (!scan(part, text, at, scanned)) return scanned;
    if (at == before) break;
  }
  return scanned;
}

/// The third argument of sscanf: how many numbers are taken, and how many stand below each other (0: all).
struct WantedSize {
  double most = std::numeric_limits<double>::infinity();
  std::size_t rows = 0;
};

WantedSize wanted_size(Call& call) {
  if (call.count() < 3) return {};
  if (call.is_text(2)) call.fail("results of their own, as \"C\" asks for, are outside the language: take elements");
  const auto size = numbers_of(call.emit, call.matrix(2));
  if (!size || size->empty() || size->size() > 2) call.fail("SIZE must be known while the program is compiled");
  for (const double extent : *size) {
    if (std::isnan(extent)) call.fail("NaN invalid as size specification");
    if (extent < 0) call.fail("negative value invalid as size specification");
  }
  if (size->size() == 1) return {size->front(), 0};
  const double rows = (*size)[0], columns = (*size)[1];
  if (std::isinf(rows)) call.fail("infinite value invalid as size specification");
  return {rows == 0 || columns == 0 ? 0 : rows * columns, static_cast<std::size_t>(std::min(rows, most_rows))};
}

std::vector<Binding> sscanf_of(Call& call) {
  if (!call.is_text(0)) call.fail("argument STRING must be a string");
  if (!call.is_text(1)) call.fail("format TEMPLATE must be a string");
  const std::string format = call.args[1].double_quoted ? call.text(1) : expand_escapes(call.text(1));
  Scanned scanned = scanned_by(call, call.text(0), parts_of(call, format));
  const WantedSize wanted = wanted_size(call);
  std::vector<double>& values = scanned.values;
  if (wanted.most < static_cast<double>(values.size())) values.resize(static_cast<std::size_t>(wanted.most));
  if (values.empty()) {
    const bool none_wanted = wanted.most == 0;
    return one(call.emit.builder.fill(call.emit.builder.constant(0, call.emit.graph.precision),
                                      none_wanted ? static_cast<std::int64_t>(wanted.rows) : 0, none_wanted ? 0 : 1));
  }
  if (scanned.characters_alone) {
    std::string text;
    for (const double code : values) text += static_cast<char>(code);
    return {text_of(std::move(text))};
  }
  const std::size_t rows = wanted.rows > 0 ? std::min(wanted.rows, values.size()) : values.size();
  while (values.size() % rows != 0) values.push_back(0);
  std::vector<double> by_rows;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t at = i; at < values.size(); at += rows) by_rows.push_back(values[at]);
  return one(matrix_by_rows(call.emit, by_rows, rows));
}

constexpr Builtin entries[] = {
    {"strtok", 1, 2, 2, strtok},
    {"substr", 2, 3, 1, substr},
    {"ostrsplit", 2, 3, 1, ostrsplit},
    {"cellstr", 1, 1, 1, cellstr},
    {"cstrcat", 0, -1, 1, cstrcat},
    {"strvcat", 1, -1, 1, strvcat},
    {"validatestring", 2, 5, 1, validatestring},
    {"sscanf", 2, 3, 1, sscanf_of},
};

}  // namespace

std::span<const Builtin> word_builtins() { return entries; }

}  // namespace lac::frontend
