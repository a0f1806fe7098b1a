// SPIR-V to the shading languages of other systems, by SPIRV-Cross.
#include <fmt/format.h>

#include <spirv_cross/spirv_hlsl.hpp>
#include <spirv_cross/spirv_msl.hpp>

#include "codegen/glsl/spirv/spirv.h"
#include "ir/support/result.h"

namespace lac::codegen::glsl {

namespace {

/// The bits of a double, which HLSL and SPIR-V take apart in ways that SPIRV-Cross does not translate: they go through
/// it as calls of functions, whose bodies are put in afterwards.
struct BitFunction {
  std::string_view glsl, name, stub, head, body;
};
constexpr BitFunction bit_functions[] = {
    {"packDouble2x32", "lac_pack_double",
     "double lac_pack_double(uvec2 words) { return double(words.x) + double(words.y); }\n",
     "double lac_pack_double(uint2 words)\n{\n", "    return asdouble(words.x, words.y);\n"},
    {"unpackDouble2x32", "lac_unpack_double",
     "uvec2 lac_unpack_double(double value) { return uvec2(uint(value), 0u); }\n",
     "uint2 lac_unpack_double(double value)\n{\n",
     "    uint low, high;\n    asuint(value, low, high);\n    return uint2(low, high);\n"},
};

/// SPIR-V that calls the functions above, for HLSL only. Not optimised, as that would put the stubs in line.
ShaderStage with_bit_calls(ShaderStage stage) {
  std::string stubs;
  for (const BitFunction& function : bit_functions)
    stubs += fmt::format("{}#define {} {}\n", function.stub, function.glsl, function.name);
  stage.glsl.insert(stage.glsl.find('\n') + 1, stubs);
  if (const auto compiled = compile_stage(stage, {.optimize = false}); !compiled)
    throw InternalError(compiled.failure().message);
  return stage;
}

std::string with_bit_bodies(std::string text) {
  for (const BitFunction& function : bit_functions) {
    std::size_t at = text.find(function.head);
    if (at == std::string::npos) continue;  // not called
    at += function.head.size();
    text.replace(at, text.find("}\n", at) - at, function.body);
  }
  return text;
}

/// Functions of GLSL whose names SPIRV-Cross writes though HLSL lacks them.
struct MissingFunction {
  std::string_view call, text;
};
constexpr MissingFunction missing_in_hlsl[] = {
    {"umulExtended(", R"(void umulExtended(uint a, uint b, out uint high, out uint low)
{
    const uint a_low = a & 0xffffu, a_high = a >> 16, b_low = b & 0xffffu, b_high = b >> 16;
    const uint middle = a_high * b_low + ((a_low * b_low) >> 16);
    const uint other = a_low * b_high + (middle & 0xffffu);
    high = a_high * b_high + (middle >> 16) + (other >> 16);
    low = a * b;
}

)"},
    {"uaddCarry(", R"(uint uaddCarry(uint a, uint b, out uint carry)
{
    const uint sum = a + b;
    carry = sum < a ? 1u : 0u;
    return sum;
}

)"},
};

std::string with_missing_functions(std::string text) {
  for (const MissingFunction& function : missing_in_hlsl)
    if (text.find(function.call) != std::string::npos) text.insert(0, function.text);
  return text;
}

std::string to_hlsl(const ShaderStage& stage) {
  spirv_cross::CompilerHLSL compiler(stage.spirv);
  spirv_cross::CompilerHLSL::Options options;
  options.shader_model = stage.float64 ? 62 : 60;
  options.enable_16bit_types = stage.float64;  // what SPIRV-Cross asks for before it writes Load<T>, which doubles need
  compiler.set_hlsl_options(options);
  // D3D has no such built-in: the program hands the numbers in, in a constant buffer behind the other resources.
  if (const spirv_cross::VariableID groups = compiler.remap_num_workgroups_builtin()) {
    compiler.set_decoration(groups, spv::DecorationDescriptorSet, 1);
    compiler.set_decoration(groups, spv::DecorationBinding, 0);
  }
  return with_missing_functions(compiler.compile());
}

/// The indices of Metal's buffers and textures are the numbers of the bindings; push constants come behind them all.
std::string to_msl(const ShaderStage& stage) {
  spirv_cross::CompilerMSL compiler(stage.spirv);
  spirv_cross::CompilerMSL::Options options;
  options.set_msl_version(2, 3);
  compiler.set_msl_options(options);
  const auto place = [&](std::uint32_t set, std::uint32_t binding, std::uint32_t index) {
    spirv_cross::MSLResourceBinding at;
    at.stage = compiler.get_execution_model();
    at.desc_set = set;
    at.binding = binding;
    at.msl_buffer = at.msl_texture = at.msl_sampler = index;
    compiler.add_msl_resource_binding(at);
  };
  for (const Binding& binding : stage.bindings) place(0, binding.number, binding.number);
  place(spirv_cross::kPushConstDescSet, spirv_cross::kPushConstBinding,
        static_cast<std::uint32_t>(stage.bindings.size()));
  return compiler.compile();
}

std::string to_essl(const ShaderStage& stage) {
  spirv_cross::CompilerGLSL compiler(stage.spirv);
  spirv_cross::CompilerGLSL::Options options;
  options.es = true;
  options.version = 310;
  compiler.set_common_options(options);
  return compiler.compile();
}

struct Language {
  std::string_view name;
  bool doubles;
  std::string (*translate)(const ShaderStage& stage);
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
    const bool takes_bits = language == ShaderLanguage::hlsl && stage.glsl.find("Double2x32") != std::string::npos;
    if (takes_bits) return with_bit_bodies(to_hlsl(with_bit_calls(stage)));
    return to.translate(stage);
  } catch (const spirv_cross::CompilerError& error) {
    return Failure{fmt::format("{}: {} cannot express it: {}", stage.name, to.name, error.what())};
  }
}

}  // namespace lac::codegen::glsl
