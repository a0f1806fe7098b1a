#include "runtime/steps/dense/four_step.h"

#include <cmath>
#include <numbers>

namespace lac::runtime {
namespace {

constexpr int shortest = 1 << 17;  // values: with their transform more than a second cache holds

template <class T>
std::vector<std::complex<T>> powers(int count, double angle) {
  std::vector<std::complex<T>> result;
  for (int k = 0; k < count; ++k)
    result.push_back({static_cast<T>(std::cos(angle * k)), static_cast<T>(std::sin(angle * k))});
  return result;
}

}  // namespace

template <class T>
Roots<T>::Roots(int n, bool inverse) {
  constexpr int few = 1 << fine_bits;
  const double angle = (inverse ? 2 : -2) * std::numbers::pi / n;
  fine_ = powers<T>(few, angle);
  coarse_ = powers<T>((n - 1) / few + 1, angle * few);
}

FourSteps four_steps(int n) {
  if (n < shortest) return {1, n};
  int rows = static_cast<int>(std::sqrt(static_cast<double>(n)));
  while (n % rows != 0) --rows;
  return {rows, n / rows};
}

template class Roots<float>;
template class Roots<double>;

}  // namespace lac::runtime
