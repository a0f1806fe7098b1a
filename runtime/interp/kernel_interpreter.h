// Executes one Kernel point by point, as kernel.h defines it and with no schedule: nest after nest, points in
// column-major order, reductions and contractions summed in plain order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/kernel/kernel.h"
#include "runtime/interp/evaluate_op.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime::interp {

/// What a launch touched, counting each distinct element once: stored values, and csr's indices.
struct Traffic {
  std::int64_t bytes_read = 0, bytes_written = 0;
  std::int64_t matrix_bytes = 0, vector_bytes = 0;
};

/// The outputs, in the kernel's order. Broken invariants (an index out of range, an element of an output that no point
/// wrote) throw InternalError.
std::vector<Tensor> interpret_kernel(const Kernel& kernel, std::span<const Tensor> inputs, const SizeOf& size_of,
                                     Traffic* traffic = nullptr);

}  // namespace lac::runtime::interp
