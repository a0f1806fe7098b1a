// A whole loop as one shader of one workgroup: the stages of its kernels one after the other, with barriers between.
#pragma once

#include <optional>

#include "codegen/glsl/options.h"
#include "ir/plan/plan.h"
#include "ir/plan/shader.h"

namespace lac::codegen::glsl {

/// Nothing where the body holds more than launches, host scalars, reshapes and releases, where a size or a value's
/// memory changes from trip to trip in a way that one buffer for each value does not serve, or where a limit of
/// `options` is passed. `kernels` are the shaders of the plan's kernels.
std::optional<LoopShader> emit_loop(const Plan& plan, OpId loop, const IdVector<KernelId, KernelShaders>& kernels,
                                    const GlslOptions& options);

}  // namespace lac::codegen::glsl
