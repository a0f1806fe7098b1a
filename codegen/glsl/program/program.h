// A whole plan as shaders.
#pragma once

#include "codegen/glsl/options.h"
#include "ir/plan/shader.h"
#include "ir/support/result.h"

namespace lac::codegen::glsl {

/// The shaders of every launch and the control shaders, as text only.
ShaderProgram emit_shaders(const Plan& plan, const GlslOptions& options);
/// The same with their SPIR-V.
Result<ShaderProgram> compile_shaders(const Plan& plan, const GlslOptions& options);

}  // namespace lac::codegen::glsl
