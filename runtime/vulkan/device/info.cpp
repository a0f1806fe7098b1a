#include "runtime/vulkan/device/info.h"

#include <algorithm>
#include <string>
#include <vector>

#include "runtime/vulkan/device/loader.h"

namespace lac::runtime::vulkan {
namespace {

struct Properties {
  VkPhysicalDeviceProperties2 core =
      vulkan_struct<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
  VkPhysicalDeviceVulkan11Properties v11 =
      vulkan_struct<VkPhysicalDeviceVulkan11Properties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES);
  VkPhysicalDeviceVulkan12Properties v12 =
      vulkan_struct<VkPhysicalDeviceVulkan12Properties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES);
};

struct Features {
  VkPhysicalDeviceFeatures2 core =
      vulkan_struct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  VkPhysicalDeviceVulkan12Features v12 =
      vulkan_struct<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
};

DeviceType type_of(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return DeviceType::discrete_gpu;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return DeviceType::integrated_gpu;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return DeviceType::virtual_gpu;
    case VK_PHYSICAL_DEVICE_TYPE_CPU: return DeviceType::cpu;
    default: return DeviceType::other;
  }
}

std::string version_text(std::uint32_t version) {
  return std::to_string(VK_API_VERSION_MAJOR(version)) + "." + std::to_string(VK_API_VERSION_MINOR(version)) + "." +
         std::to_string(VK_API_VERSION_PATCH(version));
}

/// Every heap is the device's, and one memory type is both the device's and, coherently, the host's.
bool unified(const VkPhysicalDeviceMemoryProperties& memory) {
  constexpr VkMemoryPropertyFlags both = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                         VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  for (std::uint32_t heap = 0; heap < memory.memoryHeapCount; ++heap) {
    if ((memory.memoryHeaps[heap].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) == 0) return false;
  }
  for (std::uint32_t type = 0; type < memory.memoryTypeCount; ++type) {
    if ((memory.memoryTypes[type].propertyFlags & both) == both) return true;
  }
  return false;
}

std::uint64_t largest_heap(const VkPhysicalDeviceMemoryProperties& memory) {
  std::uint64_t largest = 0;
  for (std::uint32_t heap = 0; heap < memory.memoryHeapCount; ++heap) {
    if ((memory.memoryHeaps[heap].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) == 0) continue;
    largest = std::max<std::uint64_t>(largest, memory.memoryHeaps[heap].size);
  }
  return largest;
}

DeviceLimits limits_of(const Properties& properties, const VkPhysicalDeviceMemoryProperties& memory) {
  const VkPhysicalDeviceLimits& from = properties.core.properties.limits;
  DeviceLimits limits;
  limits.storage_buffer_range = from.maxStorageBufferRange;
  limits.storage_buffer_offset = from.minStorageBufferOffsetAlignment;
  limits.memory_bytes = largest_heap(memory);
  // What one allocation may have: Vulkan 1.2 has no other limit for the size of a buffer.
  limits.buffer_bytes = std::min<std::uint64_t>(properties.v11.maxMemoryAllocationSize, limits.memory_bytes);
  limits.push_constant_bytes = from.maxPushConstantsSize;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    limits.group_count[axis] = from.maxComputeWorkGroupCount[axis];
    limits.group_size[axis] = from.maxComputeWorkGroupSize[axis];
  }
  limits.group_invocations = from.maxComputeWorkGroupInvocations;
  limits.shared_bytes = from.maxComputeSharedMemorySize;
  limits.storage_buffers = from.maxPerStageDescriptorStorageBuffers;
  limits.image_extent = from.maxImageDimension2D;
  limits.color_attachments = from.maxColorAttachments;
  limits.subgroup_size = properties.v11.subgroupSize;
  return limits;
}

std::string what_is_missing(VkPhysicalDevice device, const Properties& properties, const Features& features) {
  if (properties.core.properties.apiVersion < VK_API_VERSION_1_2) return "Vulkan 1.2";
  if (!features.v12.timelineSemaphore) return "timeline semaphores";
  if (!queue_family(device)) return "a compute queue";
  return "";
}

}  // namespace

std::optional<std::uint32_t> queue_family(VkPhysicalDevice device) {
  std::uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  for (const VkQueueFlags wanted :
       {VkQueueFlags{VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT}, VkQueueFlags{VK_QUEUE_COMPUTE_BIT}}) {
    for (std::uint32_t family = 0; family < count; ++family) {
      if ((families[family].queueFlags & wanted) == wanted) return family;
    }
  }
  return std::nullopt;
}

DeviceInfo describe(VkPhysicalDevice device, std::uint32_t index) {
  VkPhysicalDeviceProperties old;
  vkGetPhysicalDeviceProperties(device, &old);
  Properties properties;
  Features features;
  if (old.apiVersion >= VK_API_VERSION_1_2) {
    properties.core.pNext = &properties.v11;
    properties.v11.pNext = &properties.v12;
    features.core.pNext = &features.v12;
    vkGetPhysicalDeviceProperties2(device, &properties.core);
    vkGetPhysicalDeviceFeatures2(device, &features.core);
  } else {
    properties.core.properties = old;
  }
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(device, &memory);

  DeviceInfo info;
  info.index = index;
  info.name = old.deviceName;
  info.type = type_of(old.deviceType);
  info.driver = std::string(properties.v12.driverName) + " " + properties.v12.driverInfo;
  info.api_version = version_text(old.apiVersion);
  info.limits = limits_of(properties, memory);
  info.float64 = features.core.features.shaderFloat64 == VK_TRUE;
  info.preserves_nan32 = properties.v12.shaderSignedZeroInfNanPreserveFloat32 == VK_TRUE;
  info.preserves_nan64 = properties.v12.shaderSignedZeroInfNanPreserveFloat64 == VK_TRUE;
  info.unified_memory = unified(memory);
  info.buffer_addresses = features.v12.bufferDeviceAddress == VK_TRUE;
  info.missing = what_is_missing(device, properties, features);
  info.usable = info.missing.empty();
  return info;
}

}  // namespace lac::runtime::vulkan
