// Tensors as plain vectors of doubles in column-major order, whatever their storage and element.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/graph/attributes.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime::interp {

std::vector<double> values_of(const Tensor& tensor);

/// The extreme element found so far by an arg reduction: NaN is skipped, the first of equals wins, and with nothing but
/// NaN the first element is reported.
struct Extreme {
  double value;
  std::int64_t position = 1;  ///< from 1

  explicit Extreme(ReduceOp op) : value(identity(op)), op_(op) {}
  void visit(double candidate, std::int64_t candidate_position);

 private:
  ReduceOp op_;
};

}  // namespace lac::runtime::interp
