// From a launch of a Kernel to the GLSL text of its stages.
#pragma once

#include "codegen/glsl/options.h"
#include "ir/plan/shader.h"

namespace lac::codegen::glsl {

/// The stages of one launch, without SPIR-V. Every kernel that the fuse pass makes has shaders; throws InternalError on
/// one that breaks the Kernel's rules.
KernelShaders emit_kernel(const Plan& plan, OpId launch, const GlslOptions& options);

}  // namespace lac::codegen::glsl
