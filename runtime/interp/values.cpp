#include "runtime/interp/values.h"

#include <cmath>
#include <limits>

#include "runtime/tensor/convert.h"

namespace lac::runtime::interp {

std::vector<double> values_of(const Tensor& tensor) {
  const Tensor dense = tensor.is_dense() ? tensor : to_dense(tensor);
  return with_element(dense.element(), [&](auto tag) {
    const auto* values = dense.values<decltype(tag)>();
    return std::vector<double>(values, values + dense.count());
  });
}

std::int64_t size_number(double scalar) {
  constexpr double limit = 9223372036854775808.0;  // 2^63
  if (std::isnan(scalar)) return 0;
  if (std::abs(scalar) < limit) return static_cast<std::int64_t>(scalar);
  return scalar < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

void Extreme::visit(double candidate, std::int64_t candidate_position) {
  if (std::isnan(candidate)) return;
  const bool better = op_ == ReduceOp::min ? candidate < value : candidate > value;
  if (!std::isnan(value) && !better) return;
  value = candidate;
  position = candidate_position;
}

}  // namespace lac::runtime::interp
