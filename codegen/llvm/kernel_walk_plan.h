// How the domain of a kernel is cut into blocks and walked: decided from the kernel alone, before any code.
#pragma once

#include "ir/kernel/kernel.h"

namespace lac::codegen {

/// The axis of the domain that vectors run along is the lane axis: rows, but columns where there is only one row (and
/// the whole domain where it is walked as one vector). The other axis is walked one index at a time.
struct WalkPlan {
  enum class Order {
    lines,   ///< for each index of the other axis, all vectors along the lane axis
    strips,  ///< for each vector along the lane axis, all indices of the other axis
  };
  enum class Blocks {
    lanes,  ///< `block` elements of the lane axis, all of the other axis
    tiles,  ///< min(rows, block) x max(1, block / rows), column-major
    lines,  ///< max(1, block / rows) whole lines
    one,    ///< everything, in column-major order: stores may collide
  };

  bool flat = false;  ///< a matrix as one vector: the other axis has one index
  bool lanes_along_cols = false;
  Order order = Order::lines;
  Blocks blocks = Blocks::lanes;
  bool line_reductions = false;  ///< along the lane axis: one result for every line
  bool lane_reductions = false;  ///< along the other axis: one result for every lane
  std::int64_t block = 0;

  Size lane_extent, other_extent;  ///< empty lane_extent for flat: rows * cols
};

/// Throws InternalError on kernels that the verifier should not have let pass.
WalkPlan plan_walk(const Kernel& kernel);

}  // namespace lac::codegen
