// The shaders that run loops and branches on the device. They belong to no program: one text each.
#pragma once

#include <vector>

#include "ir/plan/shader.h"

namespace lac::codegen::glsl {

/// By ControlShader, text only; ir/plan/control.h says what each does.
std::vector<ShaderStage> control_shaders();

}  // namespace lac::codegen::glsl
