#include "runtime/vulkan/device/debug.h"

#include <utility>

namespace lac::runtime::vulkan {
namespace {

constexpr std::size_t kept_texts = 100;
constexpr VkValidationFeatureEnableEXT synchronisation = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;

VKAPI_ATTR VkBool32 VKAPI_CALL hear(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                    const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
  auto& log = *static_cast<MessageLog*>(user);
  const std::lock_guard lock(log.mutex);
  ++log.count;
  if (log.texts.size() < kept_texts && data->pMessage != nullptr) log.texts.emplace_back(data->pMessage);
  return VK_FALSE;
}

}  // namespace

DebugMessages::DebugMessages(std::shared_ptr<MessageLog> log) : log_(std::move(log)) {
  create_.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  create_.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  create_.pfnUserCallback = hear;
  create_.pUserData = log_.get();
  features_.pNext = &create_;
  features_.enabledValidationFeatureCount = 1;
  features_.pEnabledValidationFeatures = &synchronisation;
}

VkDebugUtilsMessengerEXT DebugMessages::attach(VkInstance instance) const {
  const auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
      vkGetInstanceProcAddr(instance, "vkCreateDebugUtilsMessengerEXT"));
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
  if (create != nullptr) create(instance, &create_, nullptr, &messenger);
  return messenger;
}

}  // namespace lac::runtime::vulkan
