// The Vulkan side of a Buffer.
#pragma once

#include <volk.h>

#include <memory>

#include "runtime/vulkan/memory/buffer.h"
#include "runtime/vulkan/memory/memory.h"

namespace lac::runtime::vulkan {

/// Whether the commands of one submission are done; shared by what they use.
struct Completion {
  const void* stream = nullptr;
  std::uint64_t ticket = 0;
  bool done = false;
};

struct BufferState {
  DeviceState& device;
  VkBuffer buffer = VK_NULL_HANDLE;
  Allocation memory = {};
  std::uint64_t capacity = 0;                       ///< bytes of the VkBuffer: at least 16
  VkDeviceAddress address = 0;                      ///< where shaders find it; 0 without DeviceInfo::buffer_addresses
  std::shared_ptr<const Completion> last_use = {};  ///< null: none yet

  bool idle() const { return last_use == nullptr || last_use->done; }
};

}  // namespace lac::runtime::vulkan
