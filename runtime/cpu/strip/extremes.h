// The smaller and the larger of two numbers as kernels have them: the one that is not NaN wins, the first of equals.
#pragma once

#include <cmath>

namespace lac::runtime {

template <class T>
T smaller(T x, T y) {
  const T chosen = y < x ? y : x;
  return std::isnan(chosen) ? y : chosen;
}

template <class T>
T larger(T x, T y) {
  const T chosen = y > x ? y : x;
  return std::isnan(chosen) ? y : chosen;
}

}  // namespace lac::runtime
