// The shaders that run loops and branches on the device; see ir/plan/shader.h for the list.
#pragma once

#include <vector>

#include "ir/plan/shader.h"

namespace lac::codegen::glsl {

/// By ControlShader, text only.
std::vector<ShaderStage> control_shaders();

}  // namespace lac::codegen::glsl
