#include "ir/support/text_scan.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>

namespace lac {
namespace {

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// The longest number at the beginning, and how many characters it takes.
struct Number {
  double value;
  std::size_t length;
};

/// What a number may be made of: no more of the text is looked at.
constexpr std::string_view number_characters = "+-.0123456789abcdefABCDEFinxtyINXTYpP";

std::optional<Number> number_at(std::string_view text, char conversion) {
  std::string word(text.substr(0, text.find_first_not_of(number_characters)));
  // as Octave, which reads no hexadecimal fractions
  const bool floating = std::string_view("fge").find(conversion) != std::string_view::npos;
  if (floating) word.resize(std::min(word.find_first_of("xX"), word.size()));
  const int base = conversion == 'x' ? 16 : conversion == 'o' ? 8 : conversion == 'i' ? 0 : 10;
  char* end = nullptr;
  const double value =
      floating ? std::strtod(word.c_str(), &end) : static_cast<double>(std::strtoll(word.c_str(), &end, base));
  if (end == word.c_str()) return {};
  return Number{value, static_cast<std::size_t>(end - word.c_str())};
}

bool differs(Scanned& scanned) {
  scanned.differs = true;
  return false;
}

// Applies one part; false where the text does not go on as it says.
bool scan(const ScanPart& part, std::string_view text, Scanned& scanned) {
  std::size_t& at = scanned.end;
  if (part.conversion == 0 && part.text == " ") {
    while (at < text.size() && is_blank(text[at])) ++at;
    return true;
  }
  if (part.conversion == 0) {
    if (at >= text.size()) return false;
    if (text[at] != part.text[0]) return differs(scanned);
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
    if (!part.skipped) scanned.ends.push_back(scanned.values.size());
    return true;
  }
  const auto number = number_at(text.substr(at, part.width), part.conversion);
  if (!number) return differs(scanned);
  at += number->length;
  if (part.skipped) return true;
  scanned.values.push_back(number->value);
  scanned.ends.push_back(scanned.values.size());
  scanned.characters_alone = false;
  return true;
}

}  // namespace

Result<std::vector<ScanPart>> scan_template(std::string_view format) {
  std::vector<ScanPart> parts;
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
    ScanPart part;
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
      return Failure{"this conversion is outside the language: %d, %i, %u, %f, %g, %e, %x, %o, %s and %c are inside"};
    part.conversion = format[i++];
    parts.push_back(part);
  }
  if (std::ranges::all_of(parts, [](const ScanPart& part) { return part.conversion == 0; }))
    return Failure{"the template has no conversion"};
  return parts;
}

Scanned scan_text(std::string_view text, const std::vector<ScanPart>& parts, std::size_t most, bool once) {
  Scanned scanned;
  while (scanned.end < text.size()) {
    const std::size_t before = scanned.end;
    for (const ScanPart& part : parts)
      if ((part.conversion != 0 && scanned.values.size() >= most) || !scan(part, text, scanned)) return scanned;
    if (once || scanned.end == before) break;
  }
  return scanned;
}

ScanExtents scan_extents(std::size_t count, std::size_t most, std::size_t rows) {
  if (count == 0) return most == 0 ? ScanExtents{rows, 0} : ScanExtents{0, 1};
  const std::size_t height = rows > 0 ? std::min(rows, count) : count;
  return {height, (count + height - 1) / height};
}

}  // namespace lac
