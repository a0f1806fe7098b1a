#define VOLK_IMPLEMENTATION
#include "runtime/vulkan/device/loader.h"

#include <array>
#include <cstring>
#include <mutex>
#include <vector>

namespace lac::runtime::vulkan {
namespace {

constexpr const char* validation_layer = "VK_LAYER_KHRONOS_validation";

std::mutex& loading() {
  static std::mutex mutex;
  return mutex;
}

bool has_validation() {
  std::uint32_t count = 0;
  vkEnumerateInstanceLayerProperties(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  vkEnumerateInstanceLayerProperties(&count, layers.data());
  for (const VkLayerProperties& layer : layers) {
    if (std::strcmp(layer.layerName, validation_layer) == 0) return true;
  }
  return false;
}

/// VK_NULL_HANDLE where there is no driver.
Result<VkInstance> make_instance(VkInstanceCreateInfo create) {
  auto application = vulkan_struct<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
  application.pApplicationName = "lac";
  application.apiVersion = VK_API_VERSION_1_3;
  create.pApplicationInfo = &application;
  VkInstance instance = VK_NULL_HANDLE;
  const VkResult result = vkCreateInstance(&create, nullptr, &instance);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER) return VkInstance{VK_NULL_HANDLE};
  if (result != VK_SUCCESS) return Failure{"Vulkan does not start: " + result_name(result)};
  return instance;
}

}  // namespace

Result<bool> load_vulkan() {
  const std::lock_guard lock(loading());
  static const VkResult loaded = volkInitialize();
  if (loaded == VK_SUCCESS) return true;
  return Failure{
      "libvulkan.so.1 was not found: install the Vulkan loader (Debian: libvulkan1) and a driver "
      "(mesa-vulkan-drivers), or use --target cpu"};
}

Result<VkInstance> process_instance() {
  if (Result<bool> loaded = load_vulkan(); !loaded) return loaded.failure();
  const std::lock_guard lock(loading());
  static VkInstance made = VK_NULL_HANDLE;
  if (made == VK_NULL_HANDLE) {
    const Result<VkInstance> instance =
        make_instance(vulkan_struct<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO));
    if (!instance || instance.value() == VK_NULL_HANDLE) return instance;
    made = instance.value();
    volkLoadInstanceOnly(made);  // they serve every instance
  }
  return made;
}

Result<VkInstance> make_validating_instance(const void* pending) {
  const Result<VkInstance> kept = process_instance();
  if (!kept || kept.value() == VK_NULL_HANDLE) return kept;
  const std::lock_guard lock(loading());
  if (!has_validation()) {
    return Failure{"Vulkan's validation layer is not installed (Debian: vulkan-validationlayers)"};
  }
  const std::array extensions = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
  auto create = vulkan_struct<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  create.pNext = pending;
  create.enabledLayerCount = 1;
  create.ppEnabledLayerNames = &validation_layer;
  create.enabledExtensionCount = extensions.size();
  create.ppEnabledExtensionNames = extensions.data();
  return make_instance(create);
}

std::string result_name(VkResult result) {
  switch (result) {
    case VK_SUCCESS: return "VK_SUCCESS";
    case VK_NOT_READY: return "VK_NOT_READY";
    case VK_TIMEOUT: return "VK_TIMEOUT";
    case VK_INCOMPLETE: return "VK_INCOMPLETE";
    case VK_ERROR_OUT_OF_HOST_MEMORY: return "VK_ERROR_OUT_OF_HOST_MEMORY";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY: return "VK_ERROR_OUT_OF_DEVICE_MEMORY";
    case VK_ERROR_INITIALIZATION_FAILED: return "VK_ERROR_INITIALIZATION_FAILED";
    case VK_ERROR_DEVICE_LOST: return "VK_ERROR_DEVICE_LOST";
    case VK_ERROR_MEMORY_MAP_FAILED: return "VK_ERROR_MEMORY_MAP_FAILED";
    case VK_ERROR_LAYER_NOT_PRESENT: return "VK_ERROR_LAYER_NOT_PRESENT";
    case VK_ERROR_EXTENSION_NOT_PRESENT: return "VK_ERROR_EXTENSION_NOT_PRESENT";
    case VK_ERROR_FEATURE_NOT_PRESENT: return "VK_ERROR_FEATURE_NOT_PRESENT";
    case VK_ERROR_TOO_MANY_OBJECTS: return "VK_ERROR_TOO_MANY_OBJECTS";
    case VK_ERROR_FRAGMENTED_POOL: return "VK_ERROR_FRAGMENTED_POOL";
    case VK_ERROR_OUT_OF_POOL_MEMORY: return "VK_ERROR_OUT_OF_POOL_MEMORY";
    default: return "VkResult " + std::to_string(static_cast<int>(result));
  }
}

}  // namespace lac::runtime::vulkan
