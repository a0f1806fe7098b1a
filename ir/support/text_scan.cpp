#include "ir/support/text_scan.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "ir/support/missing.h"

namespace lac {
namespace {

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// The longest number at the beginning, and how many characters it takes.
struct Number {
  std::optional<double> value;  ///< nothing: it breaks off behind its exponent's letter
  std::size_t length;
};

/// What a number may be made of: no more of the text is looked at.
constexpr std::string_view number_characters = "+-.0123456789abcdefABCDEFinxtyINXTYpP";

std::optional<Number> floating_at(std::string word) {
  if (word.starts_with("NA") && !word.starts_with("NAN") && !word.starts_with("NAn")) return Number{missing_value(), 2};
  word.resize(std::min(word.find_first_of("xX"), word.size()));  // as Octave, which reads no hexadecimal fractions
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  const auto length = static_cast<std::size_t>(end - word.c_str());
  if (length == 0) return {};
  const bool breaks_off =
      std::isdigit(static_cast<unsigned char>(word[length - 1])) != 0 && (*end == 'e' || *end == 'E');
  if (!breaks_off) return Number{value, length};
  const bool has_sign = end[1] == '+' || end[1] == '-';
  return Number{std::nullopt, length + (has_sign ? 2 : 1)};
}

/// As C's types hold it: numbers beyond the range become its ends, and of an unsigned type negative ones wrap.
double in_range(std::int64_t value, bool is_signed) {
  constexpr std::int64_t count = std::int64_t{1} << 32;
  if (is_signed) return static_cast<double>(std::clamp(value, -count / 2, count / 2 - 1));
  const std::int64_t magnitude = value < 0 && value > -count ? count + value : value < 0 ? count : value;
  return static_cast<double>(std::min(magnitude, count - 1));
}

std::optional<Number> integer_at(const std::string& word, const ScanPart& part) {
  const int base = part.conversion == 'x' ? 16 : part.conversion == 'o' ? 8 : part.conversion == 'i' ? 0 : 10;
  char* end = nullptr;
  const std::int64_t value = std::strtoll(word.c_str(), &end, base);
  if (end == word.c_str()) return {};
  const bool is_signed = part.conversion == 'd' || part.conversion == 'i';
  return Number{part.is_long ? static_cast<double>(value) : in_range(value, is_signed),
                static_cast<std::size_t>(end - word.c_str())};
}

std::optional<Number> number_at(std::string_view text, const ScanPart& part) {
  const std::string word(text.substr(0, text.find_first_not_of(number_characters)));
  const bool floating = std::string_view("fge").find(part.conversion) != std::string_view::npos;
  return floating ? floating_at(word) : integer_at(word, part);
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
  const auto number = number_at(text.substr(at, part.width), part);
  if (!number) return differs(scanned);
  at += number->length;
  if (!number->value) return at < text.size() && differs(scanned);
  if (part.skipped) return true;
  scanned.values.push_back(*number->value);
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
    for (; i < format.size() && (format[i] == 'l' || format[i] == 'h'); ++i) part.is_long |= format[i] == 'l';
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
