#include "ir/support/text_edit.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>

namespace lac {
namespace {

/// The number that a text without commas is, if it is a real one.
std::optional<double> real_number(std::string_view text) {
  std::string_view rest = trimmed(text, blank_characters);
  double sign = 1;
  for (int k = 0; k < 2 && (rest.starts_with('-') || rest.starts_with('+')); ++k) {  // two signs, as in Octave
    if (rest.front() == '-') sign = -sign;
    rest = trimmed(rest.substr(1), blank_characters);
  }
  if (rest.starts_with('-') || rest.starts_with('+')) return {};
  const std::string small = lower_case(std::string(rest));
  if (small == "inf") return sign * std::numeric_limits<double>::infinity();
  if (small == "nan" || rest == "NA") return std::numeric_limits<double>::quiet_NaN();
  if (rest.empty() || rest.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return {};
  const std::string digits(rest);
  char* end = nullptr;
  const double value = std::strtod(digits.c_str(), &end);
  if (end != digits.c_str() + digits.size() || std::isinf(value)) return {};
  return sign * value;
}

/// Whether what is no real number may be a complex one: digits and a unit, and no other letters than those of
/// exponents.
bool looks_complex(std::string_view text) {
  return text.find_first_of("ij") != std::string_view::npos &&
         text.find_first_of("0123456789") != std::string_view::npos &&
         text.find_first_not_of("0123456789.eE+-*ij \t") == std::string_view::npos;
}

/// A number as programs write it: one sign, and words in Octave's spelling.
std::optional<double> written_number(std::string_view text) {
  const std::string_view size = text.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
  const bool digits = !size.empty() && (std::isdigit(static_cast<unsigned char>(size.front())) || size.front() == '.');
  constexpr std::string_view words[] = {"Inf", "inf", "NaN", "nan", "NA"};
  if (!digits && std::ranges::find(words, size) == std::end(words)) return {};
  return real_number(text);
}

std::vector<std::string_view> parts_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = text.find_first_not_of(separators); begin != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(separators, end);
  }
  return parts;
}

}  // namespace

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

std::vector<std::size_t> places_of(std::string_view pattern, std::string_view text) {
  std::vector<std::size_t> found;
  if (pattern.empty()) return found;
  for (std::size_t at = text.find(pattern); at != std::string_view::npos; at = text.find(pattern, at + 1))
    found.push_back(at);
  return found;
}

std::string replaced(std::string_view text, std::string_view pattern, std::string_view replacement) {
  std::string made;
  std::size_t done = 0;
  for (const std::size_t at : places_of(pattern, text)) {
    if (at >= done) made += text.substr(done, at - done);
    made += replacement;
    done = at + pattern.size();
  }
  made += text.substr(done);
  return made;
}

std::pair<std::string_view, std::string_view> first_word(std::string_view text, std::string_view separators) {
  const std::size_t begin = std::min(text.find_first_not_of(separators), text.size());
  const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
  return {text.substr(begin, end - begin), text.substr(end)};
}

Result<double> number_in(std::string text) {
  std::erase(text, ',');
  if (const auto number = real_number(text)) return *number;
  if (looks_complex(text))
    return Failure{
        "a complex number in a string is not read: give the real and the imaginary part as strings of their own"};
  return std::numeric_limits<double>::quiet_NaN();
}

Result<NumberRows> numbers_in(std::string_view text) {
  const std::string whole(text);
  text = trimmed(text, blank_characters);
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  NumberRows made;
  for (const std::string_view line : parts_of(text, ";\n")) {
    const std::vector<std::string_view> parts = parts_of(line, " ,\t");
    if (parts.empty()) continue;
    if (made.rows > 0 && parts.size() != made.columns) return Failure{"rows of different lengths in '" + whole + "'"};
    ++made.rows;
    made.columns = parts.size();
    for (const std::string_view part : parts) {
      const std::optional<double> number = written_number(part);
      if (!number)
        return Failure{"'" + std::string(part) +
                       "' is no number, and a string is no program: write the expression itself"};
      made.by_rows.push_back(*number);
    }
  }
  return made;
}

}  // namespace lac
