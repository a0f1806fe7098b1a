// Text as the language has it: an array of numbers, one for each byte.
#pragma once

namespace lac {

/// The byte with this code; of a number that is none, 0.
constexpr char character_of(double code) {
  return code >= 0 && code < 256 ? static_cast<char>(static_cast<unsigned char>(code)) : '\0';
}

}  // namespace lac
