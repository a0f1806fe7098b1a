#include "runtime/vulkan/pipeline_cache.h"

#include <unistd.h>

#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

#include "runtime/vulkan/device_state.h"

namespace lac::runtime::vulkan {
namespace {

struct FileHeader {
  std::array<char, 8> magic = {'l', 'a', 'c', 'p', 'i', 'p', 'e', '1'};
  std::uint64_t bytes = 0;  ///< of the payload
  std::uint64_t hash = 0;
};

/// FNV-1a.
std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

std::string_view view(const std::vector<char>& bytes) { return {bytes.data(), bytes.size()}; }

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

std::string hexadecimal(std::uint64_t number) {
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, number >>= 4)
    *digit = "0123456789abcdef"[number & 15];
  return text;
}

/// Empty where it cannot be read.
std::vector<char> read_file(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return {};
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

std::vector<char> wrap_cache(const std::vector<char>& payload) {
  FileHeader header;
  header.bytes = payload.size();
  header.hash = hash_of(view(payload));
  std::vector<char> bytes(sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  return bytes;
}

std::vector<char> unwrap_cache(const std::vector<char>& bytes) {
  FileHeader header;
  if (bytes.size() < sizeof header) return {};
  std::memcpy(&header, bytes.data(), sizeof header);
  std::vector<char> payload(bytes.begin() + sizeof header, bytes.end());
  const bool whole = header.magic == FileHeader{}.magic && header.bytes == payload.size();
  if (!whole || header.hash != hash_of(view(payload))) return {};
  return payload;
}

PipelineCache::PipelineCache(DeviceState& device) : device_(device) {
  std::vector<char> data;
  if (!device.options.cache_folder.empty()) {
    file_ = std::filesystem::path(device.options.cache_folder) /
            ("pipelines-" + hexadecimal(hash_of(device_key(device))) + ".bin");
    data = unwrap_cache(read_file(file_));
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
  if (const std::vector<char> other = unwrap_cache(read_file(file_)); !other.empty()) {
    const VkPipelineCache theirs = make(other);
    vk.vkMergePipelineCaches(device_.device(), cache_, 1, &theirs);
    vk.vkDestroyPipelineCache(device_.device(), theirs, nullptr);
  }
  std::size_t size = 0;
  if (vk.vkGetPipelineCacheData(device_.device(), cache_, &size, nullptr) != VK_SUCCESS || size == 0) return;
  std::vector<char> payload(size);
  if (vk.vkGetPipelineCacheData(device_.device(), cache_, &size, payload.data()) != VK_SUCCESS) return;
  payload.resize(size);
  const std::vector<char> bytes = wrap_cache(payload);

  std::error_code error;
  std::filesystem::create_directories(file_.parent_path(), error);
  std::filesystem::path temporary = file_;
  temporary += "." + std::to_string(getpid()) + "-" + hexadecimal(reinterpret_cast<std::uintptr_t>(this)) + ".tmp";
  bool written = false;
  {
    std::ofstream out(temporary, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    written = !out.fail();
  }
  if (written) std::filesystem::rename(temporary, file_, error);
  if (!written || error) std::filesystem::remove(temporary, error);
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
