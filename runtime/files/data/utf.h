// Characters of strings in files of other programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lac::runtime {

/// UTF-16 units or code points as UTF-8; what is neither becomes U+FFFD.
std::string utf8_of(const std::vector<std::uint32_t>& units);
/// UTF-8 as UTF-16 units; nothing where the bytes are no UTF-8.
std::optional<std::vector<std::uint16_t>> utf16_of(std::string_view bytes);

}  // namespace lac::runtime
