// Kernels as render passes over packed textures (see ir/plan/fragment.h).
#pragma once

#include "codegen/glsl/options.h"
#include "ir/plan/fragment.h"
#include "ir/support/result.h"

namespace lac::codegen::glsl {

/// The passes of every launch, with their SPIR-V. A Failure names a kernel with more parameters than push constants
/// hold.
Result<FragmentProgram> compile_fragments(const Plan& plan, const GlslOptions& options);

}  // namespace lac::codegen::glsl
