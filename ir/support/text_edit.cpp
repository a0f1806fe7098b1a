#include "ir/support/text_edit.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>

#include "ir/support/number_in_text.h"

namespace lac {
namespace {

/// A number as programs write it: one sign, and words in Octave's spelling.
std::optional<double> written_number(std::string_view text) {
  const std::string_view size = text.substr(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
  const bool digits = !size.empty() && (std::isdigit(static_cast<unsigned char>(size.front())) || size.front() == '.');
  constexpr std::string_view words[] = {"Inf", "inf", "NaN", "nan", "NA"};
  if (!digits && std::ranges::find(words, size) == std::end(words)) return {};
  const auto number = number_in_text(std::string(text));
  return number && number->imag() == 0 ? std::optional(number->real()) : std::nullopt;
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
  const auto number = number_in_text(std::move(text));
  if (!number) return std::numeric_limits<double>::quiet_NaN();
  if (number->imag() == 0) return number->real();
  return Failure{"a complex number in a string that the run makes is not read: give its parts as strings of their own"};
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
