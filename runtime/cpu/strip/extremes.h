// The smaller and the larger of two numbers as kernels have them: the one that is not NaN wins, the first of equals.
#pragma once

#include <cmath>

namespace lac::runtime {

template <class T>
T smaller(T x, T y) {
  const T chosen = !(x <= y) ? y : x;
  return std::isnan(chosen) ? x : chosen;
}

template <class T>
T larger(T x, T y) {
  const T chosen = !(x >= y) ? y : x;
  return std::isnan(chosen) ? x : chosen;
}

}  // namespace lac::runtime
