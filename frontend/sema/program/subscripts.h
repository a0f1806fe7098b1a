// Subscripts as the lowerer sees them.
#pragma once

#include <vector>

#include "frontend/sema/program/lowerer.h"

namespace lac::frontend {

/// Subscripts with everything that the result's shape and the checks need.
struct Lowerer::ResolvedSubscripts {
  Subscripts subscripts;
  std::vector<ValueId> vectors;
  /// Per subscript: the shape of the index itself (a range is 1 x count) and its largest position + 1 for growth.
  struct Axis {
    bool scalar = false, colon = false;
    Size rows = 1, cols = 1;
    Size past_end = 0;   ///< where it grows: one past the largest position
    bool grows = false;  ///< assigning: what is beyond the extent is made
  };
  std::vector<Axis> axes;
};

}  // namespace lac::frontend
