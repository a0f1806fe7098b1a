// Promises of a shader about floating-point arithmetic, which a device makes or not.
#pragma once

#include <cstdint>
#include <vector>

namespace lac::runtime::vulkan {

/// The module with the execution mode SignedZeroInfNanPreserve for floats of these widths, for its only entry point.
/// Without it a driver may assume that no operand and no result is NaN or Inf, and that the sign of a zero is of no
/// matter. The device must have shaderSignedZeroInfNanPreserveFloat32 / Float64.
std::vector<std::uint32_t> preserving_nan(const std::vector<std::uint32_t>& spirv, bool single, bool real);

}  // namespace lac::runtime::vulkan
