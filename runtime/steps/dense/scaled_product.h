#pragma once

#include <algorithm>
#include <cmath>

namespace lac::runtime {

/// A product kept as fraction * 2^exponent, so that it only overflows if its value does.
struct ScaledProduct {
  double fraction = 1;
  long exponent = 0;

  void multiply(double factor) {
    int shift = 0;
    fraction = std::frexp(fraction * factor, &shift);
    exponent += shift;
  }
  void square() {
    exponent *= 2;
    multiply(fraction);
  }
  double value() const { return std::ldexp(fraction, static_cast<int>(std::clamp(exponent, -100000L, 100000L))); }
};

}  // namespace lac::runtime
