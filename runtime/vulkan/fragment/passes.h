// One launch as draws.
#pragma once

#include <functional>
#include <vector>

#include "runtime/vulkan/fragment/textures.h"

namespace lac::runtime::vulkan {

/// What a launch works on, by input of its kernel.
struct PassInputs {
  std::function<std::int64_t(const Size&)> size_of;
  std::function<Packed(std::uint32_t input)> packed;
  std::function<double(std::uint32_t input)> number;             ///< of a scalar that the host knows
  std::function<std::int64_t(std::uint32_t input)> longest_row;  ///< of compressed rows
};

using DrawSink = std::function<void(const Draw&)>;

/// Draws everything; the results by output of the kernel. Throws DeviceError limit where the domain is too large.
std::vector<Packed> draw_kernel(const FragmentProgram& program, const FragmentKernel& kernel, const PassInputs& inputs,
                                Device& device, TexturePool& textures, const DrawSink& draw);

}  // namespace lac::runtime::vulkan
