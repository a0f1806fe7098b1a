// Numbers by which doubles divide and multiply without rounding.
#pragma once

#include <cmath>

namespace lac {

/// 1, 2, 4, ... among the finite numbers.
inline bool is_power_of_two(double number) {
  int exponent = 0;
  return number >= 1 && std::isfinite(number) && std::frexp(number, &exponent) == 0.5;
}

}  // namespace lac
