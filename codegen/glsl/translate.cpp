// SPIR-V to the shading languages of other systems, by SPIRV-Cross.
#include <fmt/format.h>

#include <spirv_cross/spirv_hlsl.hpp>
#include <spirv_cross/spirv_msl.hpp>

#include "codegen/glsl/spirv.h"

namespace lac::codegen::glsl {

namespace {

std::string to_hlsl(const std::vector<std::uint32_t>& spirv) {
  spirv_cross::CompilerHLSL compiler(spirv);
  spirv_cross::CompilerHLSL::Options options;
  options.shader_model = 62;
  options.enable_16bit_types = true;  // what SPIRV-Cross asks for before it writes Load<T>, which doubles need
  compiler.set_hlsl_options(options);
  // D3D has no such built-in: the program hands the numbers in, in a constant buffer behind the other resources.
  if (const spirv_cross::VariableID groups = compiler.remap_num_workgroups_builtin()) {
    compiler.set_decoration(groups, spv::DecorationDescriptorSet, 1);
    compiler.set_decoration(groups, spv::DecorationBinding, 0);
  }
  return compiler.compile();
}

std::string to_msl(const std::vector<std::uint32_t>& spirv) {
  spirv_cross::CompilerMSL compiler(spirv);
  spirv_cross::CompilerMSL::Options options;
  options.set_msl_version(2, 3);
  compiler.set_msl_options(options);
  return compiler.compile();
}

std::string to_essl(const std::vector<std::uint32_t>& spirv) {
  spirv_cross::CompilerGLSL compiler(spirv);
  spirv_cross::CompilerGLSL::Options options;
  options.es = true;
  options.version = 310;
  compiler.set_common_options(options);
  return compiler.compile();
}

struct Language {
  std::string_view name;
  bool doubles;
  std::string (*translate)(const std::vector<std::uint32_t>& spirv);
};

/// By ShaderLanguage.
constexpr Language languages[] = {
    {"HLSL", true, to_hlsl},
    {"MSL", false, to_msl},
    {"ESSL", false, to_essl},
};

}  // namespace

Result<std::string> translate(const ShaderStage& stage, ShaderLanguage language) {
  const Language& to = languages[static_cast<int>(language)];
  if (stage.float64 && !to.doubles) return Failure{fmt::format("{}: double precision in {}", stage.name, to.name)};
  try {
    return to.translate(stage.spirv);
  } catch (const spirv_cross::CompilerError& error) {
    return Failure{fmt::format("{}: {} cannot express it: {}", stage.name, to.name, error.what())};
  }
}

}  // namespace lac::codegen::glsl
