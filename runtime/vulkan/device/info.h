// What a physical device is and can do.
#pragma once

#include <volk.h>

#include <optional>

#include "runtime/vulkan/device/device.h"

namespace lac::runtime::vulkan {

DeviceInfo describe(VkPhysicalDevice device, std::uint32_t index);

/// A family with compute, with graphics too if there is one (render passes run on the same queue); nullopt: none.
std::optional<std::uint32_t> queue_family(VkPhysicalDevice device);

}  // namespace lac::runtime::vulkan
