// The stages of the vulkan target that people look at: shaders in the languages that there are.
#pragma once

#include <optional>
#include <string_view>

#include "codegen/glsl/spirv/spirv.h"
#include "driver/core/backend.h"

namespace lac::driver {

/// What the generation of shaders takes from the texts, which outlive the options, from how this program was built, and
/// from the language that they are shown in, if it is one of shader_stages.
codegen::glsl::GlslOptions glsl_options(const SourceManager& sources, std::string_view stage = {});

inline constexpr std::string_view shader_stages[] = {"glsl", "spirv", "hlsl", "msl", "essl"};
bool is_shader_stage(std::string_view name);

/// The file of one shader in the language of that stage; a Failure where the language cannot express it.
Result<api::EmittedFile> shader_file(std::string_view stage, const ShaderStage& shader);

/// All shaders of the program in that language, one after the other and as files, with manifest.json. A shader that the
/// language cannot express is a comment that says why, and no file. A Failure is about a shader that does not compile.
Result<Shown> show_shaders(std::string_view stage, const Plan& plan, const codegen::glsl::GlslOptions& options);
/// The same of shaders that have their SPIR-V.
Shown show_shaders(std::string_view stage, const Plan& plan, const ShaderProgram& program);

}  // namespace lac::driver
