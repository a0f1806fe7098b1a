// The validation layer's messages, counted.
#pragma once

#include <volk.h>

#include <memory>

#include "runtime/vulkan/device/device.h"
#include "runtime/vulkan/device/loader.h"

namespace lac::runtime::vulkan {

/// A messenger that fills in `log`, and the layer's settings (core and synchronisation), to be chained into
/// VkInstanceCreateInfo: so it also hears what the making and the ending of the instance say.
class DebugMessages {
 public:
  explicit DebugMessages(std::shared_ptr<MessageLog> log);
  const void* instance_chain() const { return &features_; }
  VkDebugUtilsMessengerEXT attach(VkInstance instance) const;  ///< VK_NULL_HANDLE if the instance has no debug utils

 private:
  std::shared_ptr<MessageLog> log_;
  VkDebugUtilsMessengerCreateInfoEXT create_ =
      vulkan_struct<VkDebugUtilsMessengerCreateInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
  VkValidationFeaturesEXT features_ = vulkan_struct<VkValidationFeaturesEXT>(VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT);
};

}  // namespace lac::runtime::vulkan
