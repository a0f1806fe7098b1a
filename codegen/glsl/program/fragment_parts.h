// How the results of a kernel are shared out among render passes, of which each has few targets.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/kernel/kernel.h"
#include "ir/plan/fragment.h"

namespace lac::codegen::glsl {

inline constexpr std::size_t most_targets =
    8;  ///< maxColorAttachments of all but mobile devices; these refuse at the draw
inline constexpr std::uint32_t channels_of_texel = 4;

Element element_of(const Kernel& kernel, std::uint32_t output);

/// Whether points write elsewhere than to their own element, or into what was there before.
bool is_scattered(const Kernel& kernel, const Store& store);

/// The outputs that the reduction has, in the order of their channels.
std::vector<std::uint32_t> outputs_of(const KernelReduction& reduction);

/// The first channel of each of these reductions, and the end.
std::vector<std::uint32_t> first_channels(const Kernel& kernel, const std::vector<const KernelReduction*>& reductions);

/// Textures of so many channels.
constexpr std::uint32_t textures_of(std::uint32_t channels) {
  return (channels + channels_of_texel - 1) / channels_of_texel;
}

/// What one pass over the domain makes.
struct GroupParts {
  std::vector<const Store*> stores;
  std::vector<const KernelReduction*> reductions;  ///< over all points
};

struct FragmentParts {
  std::vector<GroupParts> groups;
  std::vector<std::vector<const KernelReduction*>> lines;  ///< reductions along one axis, a pass each
};

/// Pointers into the kernel.
FragmentParts parts_of(const Kernel& kernel);

}  // namespace lac::codegen::glsl
