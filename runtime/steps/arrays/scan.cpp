#include "runtime/steps/arrays/scan.h"

#include "runtime/stop.h"
#include "runtime/tensor/convert.h"

namespace lac::runtime {

Tensor scan_tensor(const Reduction& reduction, const Tensor& x, Element element) {
  const Tensor from = to_dense(x);
  Tensor result = Tensor::dense(element, x.rows(), x.cols());
  const bool along_rows = reduction.axis == Axis::rows;
  const std::int64_t lanes = along_rows ? x.cols() : x.rows();
  const std::int64_t length = along_rows ? x.rows() : x.cols();
  const std::int64_t stride = along_rows ? 1 : x.rows(), lane_stride = along_rows ? x.rows() : 1;
  StopPoll poll;
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    double state = identity(reduction.op);
    for (std::int64_t p = 0; p < length; ++p) {
      poll();
      const std::int64_t k = lane * lane_stride + p * stride;
      state = round_to(element, combine(reduction.op, state, from.stored_value(k)));
      result.set_stored_value(k, state);
    }
  }
  return result;
}

}  // namespace lac::runtime
