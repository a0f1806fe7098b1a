// What a dispatch or a draw binds, checked and written into a descriptor set.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/vulkan/stream/stream_state.h"

namespace lac::runtime::vulkan {

struct BoundSet {
  VkDescriptorSet set = VK_NULL_HANDLE;
  std::vector<ResourceAccess> accesses;  ///< of the bound resources
  std::vector<std::byte> pushed;         ///< the push constants, with the addresses; empty: none
};

/// `read`: how its shader reads. Keeps the resources alive with the frame; records no command but first uses of images.
BoundSet bind(StreamState& stream, Frame& frame, const Dispatch& dispatch, Access read);

}  // namespace lac::runtime::vulkan
