// Kernels as render passes over packed textures (see ir/plan/fragment.h).
#pragma once

#include "codegen/glsl/options.h"
#include "ir/plan/fragment.h"
#include "ir/support/result.h"

namespace lac::codegen::glsl {

/// The passes of every launch, with their SPIR-V. A Failure names the first kernel that cannot be a render pass, and
/// why: a store elsewhere than at its own point, a reduction along one axis or with a position, compressed rows,
/// results in double precision, more render targets than devices have.
Result<FragmentProgram> compile_fragments(const Graph& plan, const GlslOptions& options);

}  // namespace lac::codegen::glsl
