// Vulkan's functions: libvulkan is loaded when it is first needed, so that `lac` runs on a machine without it.
#pragma once

#include <volk.h>

#include <string>

#include "ir/support/result.h"

namespace lac::runtime::vulkan {

/// One of Vulkan's structures, all zero but its type.
template <class Struct>
Struct vulkan_struct(VkStructureType type) {
  Struct made{};
  made.sType = type;
  return made;
}

/// Finds libvulkan; a Failure with a remedy where there is none. Thread-safe; costs nothing the second time.
Result<bool> load_vulkan();
/// The instance of this process and its functions, made when it is first needed; VK_NULL_HANDLE where libvulkan found
/// no driver at all. It is never destroyed, and so the driver stays loaded: NVIDIA's was found no more after it had
/// been loaded some thirty times. Thread-safe.
Result<VkInstance> process_instance();
/// One with the validation layer, for its caller to destroy. `pending`: VkInstanceCreateInfo::pNext.
Result<VkInstance> make_validating_instance(const void* pending);

/// "VK_ERROR_DEVICE_LOST".
std::string result_name(VkResult result);

}  // namespace lac::runtime::vulkan
