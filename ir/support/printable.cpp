#include "ir/support/printable.h"

#include <algorithm>

namespace lac {

std::size_t printable_bytes(std::string_view text) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const unsigned first = byte(0);
  if (first < 0x80) return (first >= 0x20 && first != 0x7f) || first == '\n' || first == '\t' ? 1 : 0;
  const std::size_t length = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length == 0 || first >= 0xf5) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if (byte(k) < 0x80 || byte(k) >= 0xc0) return 0;
  if (length == 2 && first == 0xc2 && byte(1) < 0xa0) return 0;  // the second set of control characters
  return length;
}

std::string escaped_byte(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
}

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t bytes = printable_bytes(text);
    if (bytes == 0) shown += escaped_byte(text.front());
    else shown += text.substr(0, bytes);
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return shown;
}

}  // namespace lac
