// What a compiled shader really declares, against what its stage says.
#pragma once

#include <optional>
#include <string>

#include "ir/plan/shader.h"

namespace lac::codegen::glsl {

/// The first difference between `stage.spirv` and the stage's bindings, parameters, workgroup and float64, in words;
/// nothing where they agree. Wants the module as compiled: an optimised one lacks what is never used.
std::optional<std::string> find_mismatch(const ShaderStage& stage);

}  // namespace lac::codegen::glsl
