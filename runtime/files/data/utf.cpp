#include "runtime/files/data/utf.h"

#include <cstddef>

namespace lac::runtime {
namespace {

constexpr std::uint32_t replacement = 0xfffd;

bool is_high(std::uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool is_low(std::uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

void append(std::string& out, std::uint32_t point) {
  const auto continued = [&](unsigned shift) { out += static_cast<char>(0x80U | ((point >> shift) & 0x3fU)); };
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xc0U | (point >> 6U));
    continued(0);
  } else if (point < 0x10000) {
    out += static_cast<char>(0xe0U | (point >> 12U));
    continued(6);
    continued(0);
  } else {
    out += static_cast<char>(0xf0U | (point >> 18U));
    continued(12);
    continued(6);
    continued(0);
  }
}

/// How many bytes follow the first of a character; -1: none begins with it.
int following(unsigned char first) {
  if (first < 0x80) return 0;
  if (first >= 0xc2 && first < 0xe0) return 1;
  if (first >= 0xe0 && first < 0xf0) return 2;
  return first >= 0xf0 && first < 0xf5 ? 3 : -1;
}

void append_units(std::vector<std::uint16_t>& units, std::uint32_t point) {
  if (point < 0x10000) {
    units.push_back(static_cast<std::uint16_t>(point));
    return;
  }
  units.push_back(static_cast<std::uint16_t>(0xd800 + ((point - 0x10000) >> 10U)));
  units.push_back(static_cast<std::uint16_t>(0xdc00 + ((point - 0x10000) & 0x3ffU)));
}

}  // namespace

std::optional<std::vector<std::uint16_t>> utf16_of(std::string_view bytes) {
  std::vector<std::uint16_t> units;
  for (std::size_t i = 0; i < bytes.size();) {
    const auto first = static_cast<unsigned char>(bytes[i++]);
    const int more = following(first);
    if (more < 0 || bytes.size() - i < static_cast<std::size_t>(more)) return std::nullopt;
    std::uint32_t point = more == 0 ? first : first & (0x3fU >> static_cast<unsigned>(more));
    for (int k = 0; k < more; ++k) {
      const auto next = static_cast<unsigned char>(bytes[i++]);
      if ((next & 0xc0U) != 0x80U) return std::nullopt;
      point = point << 6U | (next & 0x3fU);
    }
    append_units(units, point);
  }
  return units;
}

std::string utf8_of(const std::vector<std::uint32_t>& units) {
  std::string out;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const bool is_pair = is_high(units[i]) && i + 1 < units.size() && is_low(units[i + 1]);
    if (is_pair) {
      append(out, 0x10000 + ((units[i] - 0xd800) << 10U) + (units[i + 1] - 0xdc00));
      ++i;
    } else {
      const bool is_none = is_high(units[i]) || is_low(units[i]) || units[i] > 0x10ffff;
      append(out, is_none ? replacement : units[i]);
    }
  }
  return out;
}

}  // namespace lac::runtime
