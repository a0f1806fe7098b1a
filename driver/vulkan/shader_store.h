// SPIR-V on disk, between runs.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>

#include "codegen/glsl/spirv_store.h"
#include "driver/include/lac/lac.hpp"

namespace lac::driver {

/// One file a shader in `folder`, named by the hash of its key; the key stands in it, so that two of one hash are told
/// apart. Files are never removed here: `lac cache clear` does.
class ShaderStore final : public codegen::glsl::SpirvStore {
 public:
  explicit ShaderStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::vector<std::uint32_t> find(const std::string& key) override;
  void keep(const std::string& key, const std::vector<std::uint32_t>& spirv) override;

  std::int64_t hits() const { return hits_; }
  std::int64_t misses() const { return misses_; }

 private:
  std::filesystem::path file_of(const std::string& key) const;

  std::filesystem::path folder_;
  std::atomic<std::int64_t> hits_ = 0, misses_ = 0;
};

/// Null where nothing is to be kept.
std::shared_ptr<ShaderStore> shader_store(const api::Options& options);
/// What the store has seen since it was made.
api::CacheUse use_of(const std::shared_ptr<ShaderStore>& store);

}  // namespace lac::driver
