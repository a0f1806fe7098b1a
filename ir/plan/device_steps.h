// Steps that a device does: ops other than launches that have shaders.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/graph/graph.h"

namespace lac {

enum class DeviceStep : std::uint8_t {
  draw,              ///< `random` of uniform numbers; the bits of others depend on the functions of the machine
  scan,              ///< `scan`
  triangular_solve,  ///< `solve` with a square matrix whose type says lower or upper
};

/// Which of them `op` is; its dense operands and results are in buffers then. Any other op that is not a launch is the
/// host's.
std::optional<DeviceStep> device_step_of(const Graph& plan, const Op& op);

}  // namespace lac
