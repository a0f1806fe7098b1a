#include "driver/vulkan/shader_store.h"

#include <cstring>
#include <string_view>

namespace lac::driver {

std::vector<std::uint32_t> ShaderStore::find(const std::string& key) {
  const std::string bytes = files_->find(key);
  std::vector<std::uint32_t> spirv(bytes.size() / sizeof(std::uint32_t));
  if (!spirv.empty()) std::memcpy(spirv.data(), bytes.data(), spirv.size() * sizeof(std::uint32_t));
  return spirv;
}

void ShaderStore::keep(const std::string& key, const std::vector<std::uint32_t>& spirv) {
  files_->keep(key, {reinterpret_cast<const char*>(spirv.data()), spirv.size() * sizeof(std::uint32_t)});
}

std::shared_ptr<ShaderStore> shader_store(const api::Options& options) {
  auto files = content_store(options, "shader");
  return files ? std::make_shared<ShaderStore>(std::move(files)) : nullptr;
}

api::CacheUse use_of(const std::shared_ptr<ShaderStore>& store, Diagnostics& diagnostics) {
  if (!store) return api::CacheUse::off;
  warn_of_problems(store->files(), diagnostics);
  return store->files().use();
}

}  // namespace lac::driver
