// Shaders for buffers that pass what a binding may span: arrays are reached by their addresses instead.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "codegen/glsl/options.h"
#include "ir/plan/shader.h"

namespace lac::codegen::glsl {

/// The same compute stage, without SPIR-V, with all its arrays in buffers as buffer references (core in Vulkan 1.2, not
/// in HLSL and ESSL): their addresses are parameters behind those of the stage (Binding::address_at). Images and the
/// binding of parameters stay what they are. Of a stage that has a source.
ShaderStage by_address(const ShaderStage& stage);

/// The compiled variants of a program's stages, each made at its first use. Thread-safe.
class AddressedStages {
 public:
  explicit AddressedStages(const GlslOptions& options) : options_(options) {}

  /// Lives as long as this; `stage` must, too.
  const ShaderStage& of(const ShaderStage& stage);

 private:
  GlslOptions options_;
  std::mutex mutex_;
  std::unordered_map<const ShaderStage*, std::unique_ptr<const ShaderStage>> stages_;
};

}  // namespace lac::codegen::glsl
