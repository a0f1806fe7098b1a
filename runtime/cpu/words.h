// Scalars in words, as the code of loops finds them (plan_runner.h): as its element is stored, in the low bytes.
#pragma once

#include <cstdint>
#include <cstring>

#include "ir/types/type.h"

namespace lac::runtime {

inline std::uint64_t word_of(Element element, double number) {
  if (element == Element::logical) return number != 0 ? 1 : 0;
  std::uint64_t word = 0;
  if (element == Element::single) {
    const auto rounded = static_cast<float>(number);
    std::memcpy(&word, &rounded, sizeof rounded);
  } else {
    std::memcpy(&word, &number, sizeof number);
  }
  return word;
}

inline double number_of(Element element, const void* stored) {
  if (element == Element::logical) return *static_cast<const std::uint8_t*>(stored) != 0 ? 1 : 0;
  if (element == Element::single) {
    float number = 0;
    std::memcpy(&number, stored, sizeof number);
    return static_cast<double>(number);
  }
  double number = 0;
  std::memcpy(&number, stored, sizeof number);
  return number;
}

}  // namespace lac::runtime
