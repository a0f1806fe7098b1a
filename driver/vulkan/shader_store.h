// SPIR-V on disk, between runs.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "codegen/glsl/spirv/spirv_store.h"
#include "driver/core/content_store.h"
#include "ir/support/diagnostics.h"

namespace lac::driver {

class ShaderStore final : public codegen::glsl::SpirvStore {
 public:
  explicit ShaderStore(std::shared_ptr<ContentStore> files) : files_(std::move(files)) {}

  std::vector<std::uint32_t> find(const std::string& key) override;
  void keep(const std::string& key, const std::vector<std::uint32_t>& spirv) override;

  const ContentStore& files() const { return *files_; }

 private:
  std::shared_ptr<ContentStore> files_;
};

/// Null where nothing is to be kept.
std::shared_ptr<ShaderStore> shader_store(const api::Options& options);
/// What the store has seen since it was made; what was wrong is said.
api::CacheUse use_of(const std::shared_ptr<ShaderStore>& store, Diagnostics& diagnostics);

}  // namespace lac::driver
