// GLSL to SPIR-V (shaderc, spirv-opt), and SPIR-V to other languages (SPIRV-Cross).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/glsl/options.h"
#include "ir/plan/shader.h"
#include "ir/support/result.h"

namespace lac::codegen::glsl {

/// Part of every cache key: the versions of what turns text into SPIR-V.
std::string compiler_version();

/// Fills in `stage.spirv` and checks, by reflection, that bindings, push constants and workgroup size are those that
/// the stage states. A Failure is a bug of ours: it holds the compiler's message and the numbered text. Thread-safe;
/// the first call of a process that finds its shader in no store costs 0.1 s.
Result<bool> compile_stage(ShaderStage& stage, const GlslOptions& options);

enum class ShaderLanguage : std::uint8_t { hlsl, msl, essl };
/// HLSL of shader model 6.2 (gl_NumWorkGroups is a constant buffer, register b0 of space1), MSL 2.3 (the index
/// of a buffer or texture is the number of its binding, that of the parameters the number of bindings), ESSL 3.10. A
/// Failure names what the language cannot express ("double precision in MSL").
Result<std::string> translate(const ShaderStage& stage, ShaderLanguage language);
/// The text of `spirv-dis`.
std::string disassemble(const std::vector<std::uint32_t>& spirv);
/// Bindings, push constants and dispatch sizes of every stage as JSON, sizes as texts over the program's parameters.
std::string manifest_json(const Graph& plan, const ShaderProgram& program);

}  // namespace lac::codegen::glsl
