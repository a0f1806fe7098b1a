#include "runtime/vulkan/stream/pipeline_cache.h"

#include <string>

#include "runtime/files/cache_file.h"
#include "runtime/vulkan/device/device_state.h"

namespace lac::runtime::vulkan {
namespace {

/// What the driver's data depends on.
std::string device_key(const DeviceState& device) {
  auto id = vulkan_struct<VkPhysicalDeviceIDProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES);
  auto properties = vulkan_struct<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
  properties.pNext = &id;
  vkGetPhysicalDeviceProperties2(device.physical, &properties);
  const VkPhysicalDeviceProperties& core = properties.properties;
  std::string key(reinterpret_cast<const char*>(id.driverUUID), VK_UUID_SIZE);
  key.append(reinterpret_cast<const char*>(core.pipelineCacheUUID), VK_UUID_SIZE);
  for (const std::uint32_t number : {core.vendorID, core.deviceID, core.driverVersion, core.apiVersion}) {
    key += std::to_string(number) + "/";
  }
  return key + device.options.cache_key;
}

}  // namespace

PipelineCache::PipelineCache(DeviceState& device) : device_(device) {
  std::vector<char> data;
  if (!device.options.cache_folder.empty()) {
    file_ = std::filesystem::path(device.options.cache_folder) /
            ("pipelines-" + hexadecimal(content_hash(device_key(device))) + ".bin");
    data = read_cache_file(file_).bytes;
  }
  cache_ = make(data);
}

PipelineCache::~PipelineCache() { device_.vk().vkDestroyPipelineCache(device_.device(), cache_, nullptr); }

VkPipelineCache PipelineCache::make(const std::vector<char>& data) {
  auto create = vulkan_struct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  create.initialDataSize = data.size();
  create.pInitialData = data.data();
  VkPipelineCache cache = VK_NULL_HANDLE;
  const VkResult result = device_.vk().vkCreatePipelineCache(device_.device(), &create, nullptr, &cache);
  if (result != VK_SUCCESS && !data.empty()) return make({});
  device_.check(result, "vkCreatePipelineCache");
  return cache;
}

void PipelineCache::write() {
  const VolkDeviceTable& vk = device_.vk();
  if (const std::vector<char> other = read_cache_file(file_).bytes; !other.empty()) {
    const VkPipelineCache theirs = make(other);
    vk.vkMergePipelineCaches(device_.device(), cache_, 1, &theirs);
    vk.vkDestroyPipelineCache(device_.device(), theirs, nullptr);
  }
  std::size_t size = 0;
  if (vk.vkGetPipelineCacheData(device_.device(), cache_, &size, nullptr) != VK_SUCCESS || size == 0) return;
  std::vector<char> payload(size);
  if (vk.vkGetPipelineCacheData(device_.device(), cache_, &size, payload.data()) != VK_SUCCESS) return;
  payload.resize(size);
  write_cache_file(file_, {payload.data(), payload.size()});
}

void PipelineCache::save() noexcept {
  if (!changed_ || file_.empty()) return;
  changed_ = false;
  try {
    write();
  } catch (...) {  // a cache that cannot be written is no failure of the run
  }
}

}  // namespace lac::runtime::vulkan
