#include "frontend/sema/program/map_keys.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>

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
  if (number == std::trunc(number) || !(size >= 1e-2 && size < 1e5)) return number_text(number);
  const int before = static_cast<int>(std::floor(std::log10(size)));
  const int decimals = before >= 0 ? std::max(4 - before, 0) : before == -1 ? 4 : 6;
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, number);
  return text.data();
}

}  // namespace lac::frontend
