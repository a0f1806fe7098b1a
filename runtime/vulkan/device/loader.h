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
/// An instance and its functions. `pending` is whatever the extensions need, for VkInstanceCreateInfo::pNext.
struct InstanceOptions {
  bool validation = false;
  const void* pending = nullptr;
};
/// VK_NULL_HANDLE where libvulkan found no driver at all.
Result<VkInstance> make_instance(const InstanceOptions& options);

/// "VK_ERROR_DEVICE_LOST".
std::string result_name(VkResult result);

}  // namespace lac::runtime::vulkan
