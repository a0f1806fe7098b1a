// What the generation of shaders depends on besides the plan.
#pragma once

#include <cstdint>
#include <memory>

#include "codegen/glsl/spirv_store.h"
#include "ir/support/source.h"

namespace lac::codegen::glsl {

struct GlslOptions {
  std::int32_t max_groups = 64;   ///< workgroups of stages that reduce: one partial result each
  std::uint32_t workgroup = 256;  ///< invocations of a workgroup, a power of two
  std::uint32_t shared_bytes = 32768;
  bool own_math = true;  ///< our functions where GLSL's are inaccurate; false: the driver's (see docs/numerics)
  bool optimize = true;  ///< spirv-opt
  const SourceManager* sources = nullptr;  ///< for source lines in comments; none without
  bool validate = false;                   ///< spirv-val on every shader; a finding is an InternalError
  std::shared_ptr<SpirvStore> store = {};  ///< asked before the compiler; null: none
};

}  // namespace lac::codegen::glsl
