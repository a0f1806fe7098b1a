// Steps that a device does: ops other than launches that have shaders.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/graph/graph.h"

namespace lac {

enum class DeviceStep : std::uint8_t {
  draw,              ///< `random` of uniform numbers; the bits of others depend on the functions of the machine
  scan,              ///< `scan`
  triangular_solve,  ///< `solve` with a square matrix whose type says lower or upper
  sort,              ///< `sort` of floating elements
  accumulate,        ///< `accumulate` of floating elements, with a filler that is known
};

/// Which of them `op` is; its dense operands and results are in buffers then. Any other op that is not a launch is the
/// host's.
std::optional<DeviceStep> device_step_of(const Graph& plan, const Op& op);

/// `sort` as a device does it: lines of so many elements, those of a line `lines` apart where it is along the rows.
struct SortStep {
  Size lines, length;
  bool along_rows = false, descends = false;
};
std::optional<SortStep> sort_step_of(const Graph& plan, const Op& op);

struct AccumulateStep {
  ReduceOp op = ReduceOp::sum;
  double filler = 0;  ///< where no position is
};
std::optional<AccumulateStep> accumulate_step_of(const Graph& plan, const Op& op);

/// What a message calls the step: "library step sort", "print".
std::string step_name(const Op& op);

}  // namespace lac
