#include "codegen/glsl/text/literal.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace lac::codegen::glsl {
namespace {

template <class T>
std::string shortest(T value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  std::string result(text, end);
  if (result.find_first_of(".e") == std::string::npos) result += ".0";
  return result;
}

std::string hex(std::uint32_t word) {
  char text[16];
  return "0x" + std::string(text, std::to_chars(text, text + sizeof text, word, 16).ptr) + "u";
}

// Zero with a sign, denormals, Inf and NaN: by their bits, as compilers and drivers may fold them to something else.
std::string bits_text(float value) { return "uintBitsToFloat(" + hex(std::bit_cast<std::uint32_t>(value)) + ")"; }

std::string bits_text(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return "packDouble2x32(uvec2(" + hex(static_cast<std::uint32_t>(bits)) + ", " +
         hex(static_cast<std::uint32_t>(bits >> 32)) + "))";
}

template <class T>
std::string number_text(T value, std::string_view suffix) {
  const bool plain_zero = value == 0 && !std::signbit(value);
  if (!plain_zero && !std::isnormal(value)) return bits_text(value);
  const std::string digits = shortest(std::fabs(value)) + std::string(suffix);
  return value < 0 ? "(-" + digits + ")" : digits;
}

}  // namespace

std::string literal_text(double value, Element element) {
  if (element == Element::logical) return value != 0 ? "true" : "false";
  return element == Element::single ? number_text(static_cast<float>(value), "") : number_text(value, "lf");
}

std::optional<double> literal_value(std::string_view text) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  const bool negative = text.starts_with("(-") && text.ends_with(')');
  if (negative) text = text.substr(2, text.size() - 3);
  if (text.ends_with("lf")) text.remove_suffix(2);
  if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return negative ? -value : value;
}

}  // namespace lac::codegen::glsl
