// One launch as render passes.
#pragma once

#include "codegen/glsl/kernel/context.h"
#include "ir/plan/fragment.h"

namespace lac::codegen::glsl {

/// The passes of a kernel, as text only. `context.textures` is set.
FragmentKernel emit_fragment_kernel(const KernelContext& context);

}  // namespace lac::codegen::glsl
