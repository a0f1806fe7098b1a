#include "ir/support/printf_format.h"

#include <algorithm>

namespace lac {
namespace {

constexpr std::string_view flag_characters = "-+ 0#~";
constexpr std::string_view modifiers = "hlL";
constexpr std::string_view conversions = "dioxXuceEfgGs";
constexpr int largest_number = 100000;  // a width or precision beyond it is a mistake, not a layout

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A number or '*' at `at`, or `absent`; nothing when the number is absurd.
std::optional<int> take_number(std::string_view format, std::size_t& at, int absent) {
  if (at < format.size() && format[at] == '*') {
    ++at;
    return FormatPart::star;
  }
  if (at >= format.size() || !is_digit(format[at])) return absent;
  int number = 0;
  for (; at < format.size() && is_digit(format[at]); ++at) {
    number = 10 * number + (format[at] - '0');
    if (number > largest_number) return std::nullopt;
  }
  return number;
}

// The conversion whose '%' is just before `at`.
std::optional<FormatPart> take_conversion(std::string_view format, std::size_t& at) {
  FormatPart part;
  while (at < format.size() && flag_characters.find(format[at]) != std::string_view::npos) part.flags += format[at++];
  const auto width = take_number(format, at, FormatPart::absent);
  if (!width) return std::nullopt;
  part.width = *width;
  if (at < format.size() && format[at] == '.') {
    const auto precision = take_number(format, ++at, 0);
    if (!precision) return std::nullopt;
    part.precision = *precision;
  }
  if (at < format.size() && modifiers.find(format[at]) != std::string_view::npos) ++at;
  if (at >= format.size()) return std::nullopt;
  part.type = format[at++];
  if (part.type != '%' && conversions.find(part.type) == std::string_view::npos) return std::nullopt;
  return part;
}

}  // namespace

std::optional<std::vector<FormatPart>> parse_format(std::string_view format) {
  std::vector<FormatPart> parts;
  const auto add_literal = [&](std::string_view text) {
    if (text.empty()) return;
    if (parts.empty() || !parts.back().is_literal()) parts.emplace_back();
    parts.back().text += text;
  };
  std::size_t at = 0;
  while (at < format.size()) {
    const std::size_t percent = std::min(format.find('%', at), format.size());
    add_literal(format.substr(at, percent - at));
    at = percent + 1;
    if (percent == format.size()) break;
    std::optional<FormatPart> part = take_conversion(format, at);
    if (!part) return std::nullopt;
    if (part->type == '%') add_literal("%");
    else parts.push_back(std::move(*part));
  }
  return parts;
}

}  // namespace lac
