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

// Applies one part; false where the text does not go on as it says.
bool scan(const ScanPart& part, const std::string& text, std::size_t& at, Scanned& scanned) {
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

Scanned scan_text(const std::string& text, const std::vector<ScanPart>& parts) {
  Scanned scanned;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t before = at;
    for (const ScanPart& part : parts)
      if (!scan(part, text, at, scanned)) return scanned;
    if (at == before) break;
  }
  return scanned;
}

}  // namespace lac
