// One launch as render passes.
#pragma once

#include <optional>
#include <string>

#include "codegen/glsl/kernel/context.h"
#include "ir/plan/fragment.h"

namespace lac::codegen::glsl {

/// Why this kernel cannot be a render pass; nothing where it can.
std::optional<std::string> fragment_obstacle(const Kernel& kernel);

/// The passes of a kernel that can, as text only. `context.textures` is set.
FragmentKernel emit_fragment_kernel(const KernelContext& context);

}  // namespace lac::codegen::glsl
