#include "runtime/interp/values.h"

#include <cmath>

#include "runtime/tensor/convert.h"

namespace lac::runtime::interp {

std::vector<double> values_of(const Tensor& tensor) {
  const Tensor dense = tensor.is_dense() ? tensor : to_dense(tensor);
  return with_element(dense.element(), [&](auto tag) {
    const auto* values = dense.values<decltype(tag)>();
    return std::vector<double>(values, values + dense.count());
  });
}

void Extreme::visit(double candidate, std::int64_t candidate_position) {
  if (std::isnan(candidate)) return;
  const bool better = op_ == ReduceOp::min ? candidate < value : candidate > value;
  if (!std::isnan(value) && !better) return;
  value = candidate;
  position = candidate_position;
}

}  // namespace lac::runtime::interp
