// The Vulkan side of an Image.
#pragma once

#include <volk.h>

#include <memory>

#include "runtime/vulkan/memory/buffer_state.h"
#include "runtime/vulkan/memory/image.h"
#include "runtime/vulkan/memory/memory.h"

namespace lac::runtime::vulkan {

struct ImageState {
  DeviceState& device;
  VkImage image = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
  Allocation memory = {};
  bool general = false;  ///< a recorded command has brought it into the general layout
  std::shared_ptr<const Completion> last_use = {};
};

}  // namespace lac::runtime::vulkan
