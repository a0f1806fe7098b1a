#include "driver/vulkan/shader_store.h"

#include <cstring>
#include <string_view>

#include "driver/vulkan/devices.h"
#include "runtime/files/cache_file.h"

namespace lac::driver {

std::filesystem::path ShaderStore::file_of(const std::string& key) const {
  return folder_ / ("shader-" + runtime::hexadecimal(runtime::content_hash(key)) + ".bin");
}

std::vector<std::uint32_t> ShaderStore::find(const std::string& key) {
  const std::vector<char> bytes = runtime::read_cache_file(file_of(key));
  const std::string_view payload(bytes.data(), bytes.size());
  const bool found = payload.size() > key.size() && payload.starts_with(key) &&
                     (payload.size() - key.size()) % sizeof(std::uint32_t) == 0;
  ++(found ? hits_ : misses_);
  if (!found) return {};
  std::vector<std::uint32_t> spirv((payload.size() - key.size()) / sizeof(std::uint32_t));
  std::memcpy(spirv.data(), payload.data() + key.size(), payload.size() - key.size());
  return spirv;
}

void ShaderStore::keep(const std::string& key, const std::vector<std::uint32_t>& spirv) {
  std::string payload = key;
  payload.append(reinterpret_cast<const char*>(spirv.data()), spirv.size() * sizeof(std::uint32_t));
  runtime::write_cache_file(file_of(key), payload);
}

std::shared_ptr<ShaderStore> shader_store(const api::Options& options) {
  const std::filesystem::path folder = options.cache ? shader_folder() : std::filesystem::path();
  return folder.empty() ? nullptr : std::make_shared<ShaderStore>(folder);
}

api::CacheUse use_of(const std::shared_ptr<ShaderStore>& store) {
  if (!store || store->hits() + store->misses() == 0) return api::CacheUse::off;
  return store->misses() == 0 ? api::CacheUse::hit : api::CacheUse::miss;
}

}  // namespace lac::driver
