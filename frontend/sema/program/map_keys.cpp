#include "frontend/sema/program/map_keys.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include "ir/support/printf.h"
#include "ir/types/text.h"

namespace lac::frontend {

std::string field_of_text(const std::string& text) {
  static constexpr const char* digits = "0123456789abcdef";
  std::string name = "t";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    name += digits[byte / 16];
    name += digits[byte % 16];
  }
  return name;
}

std::string text_of_field(const std::string& name) {
  std::string text;
  for (std::size_t i = 1; i < name.size(); i += 2) text += static_cast<char>(std::stoi(name.substr(i, 2), nullptr, 16));
  return text;
}

std::string field_of_number(double number) {
  return "n" + std::to_string(std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number));
}

double number_of_field(const std::string& name) { return std::bit_cast<double>(std::stoull(name.substr(1))); }

std::string shown_key(double number) {
  const double size = std::abs(number);
  if (number == std::trunc(number) || !std::isfinite(number)) return number_text(number);
  const auto printed = [&](const std::string& format) {
    return format_printf(format, {PrintfArgument::numbers({number})}).value();
  };
  if (size >= 9999.95 || size < 1e-2) return printed("%.4e");
  const int before = static_cast<int>(std::floor(std::log10(size)));
  return printed("%." + std::to_string(before >= 0 ? 4 - before : before == -1 ? 4 : 6) + "f");
}

}  // namespace lac::frontend
