#include "codegen/glsl/spirv/spirv.h"

#include <fmt/format.h>
#include <glslang/build_info.h>

#include <shaderc/shaderc.hpp>
#include <spirv-tools/libspirv.hpp>
#include <spirv-tools/optimizer.hpp>

#include "codegen/glsl/spirv/reflect.h"

namespace lac::codegen::glsl {

namespace {

// SPIR-V 1.5, the version of Vulkan 1.2: every device that has what the runtime asks for takes it.
constexpr spv_target_env tools_environment = SPV_ENV_VULKAN_1_2;

std::string numbered(const std::string& text) {
  std::string result;
  std::size_t line = 1;
  for (std::size_t from = 0; from < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    result += fmt::format("{:4} {}\n", line, text.substr(from, end - from));
    from = end + 1;
  }
  return result;
}

Failure failure(const ShaderStage& stage, std::string_view who, const std::string& what) {
  return Failure{fmt::format("{} on shader {}: {}\n{}", who, stage.name, what, numbered(stage.glsl))};
}

/// What the library's functions complain about, one line each.
spvtools::MessageConsumer collect(std::string& messages) {
  return [&messages](spv_message_level_t level, const char*, const spv_position_t&, const char* message) {
    if (level <= SPV_MSG_WARNING) messages += std::string(message) + "\n";
  };
}

shaderc_shader_kind shader_kind(ShaderType type) {
  return type == ShaderType::vertex     ? shaderc_vertex_shader
         : type == ShaderType::fragment ? shaderc_fragment_shader
                                        : shaderc_compute_shader;
}

shaderc::SpvCompilationResult compile(const ShaderStage& stage) {
  static const shaderc::Compiler compiler;  // the first one costs 0.1 s
  shaderc::CompileOptions options;
  options.SetTargetEnvironment(shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_2);
  options.SetTargetSpirv(shaderc_spirv_version_1_5);
  // Optimised below, after the reflection: shaderc's own levels take away names and whatever is never used.
  options.SetOptimizationLevel(shaderc_optimization_level_zero);
  return compiler.CompileGlslToSpv(stage.glsl, shader_kind(stage.type), stage.name.c_str(), options);
}

Result<bool> validate(const ShaderStage& stage) {
  spvtools::SpirvTools tools(tools_environment);
  std::string messages;
  tools.SetMessageConsumer(collect(messages));
  if (!tools.Validate(stage.spirv)) return failure(stage, "spirv-val", messages);
  return true;
}

Result<bool> optimize(ShaderStage& stage) {
  spvtools::Optimizer optimizer(tools_environment);
  std::string messages;
  optimizer.SetMessageConsumer(collect(messages));
  optimizer.RegisterPerformancePasses();
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);  // validated when that is asked for
  options.set_preserve_bindings(true);
  std::vector<std::uint32_t> result;
  if (!optimizer.Run(stage.spirv.data(), stage.spirv.size(), &result, options))
    return failure(stage, "spirv-opt", messages);
  stage.spirv = std::move(result);
  return true;
}

}  // namespace

std::string compiler_version() {
  return fmt::format("glslang {}.{}.{}, SPIRV-Tools {}", GLSLANG_VERSION_MAJOR, GLSLANG_VERSION_MINOR,
                     GLSLANG_VERSION_PATCH, spvSoftwareVersionString());
}

namespace {

/// All that compile_new depends on. What the stage says of its text was checked when the text was compiled.
std::string store_key(const ShaderStage& stage, const GlslOptions& options) {
  return fmt::format("{}; stage {}{}{}\n{}", compiler_version(), static_cast<int>(stage.type),
                     options.optimize ? "; optimized" : "", options.validate ? "; validated" : "", stage.glsl);
}

Result<bool> compile_new(ShaderStage& stage, const GlslOptions& options) {
  const auto compiled = compile(stage);
  if (compiled.GetCompilationStatus() != shaderc_compilation_status_success)
    return failure(stage, "shaderc", compiled.GetErrorMessage());
  stage.spirv.assign(compiled.cbegin(), compiled.cend());
  if (const auto mismatch = find_mismatch(stage)) return failure(stage, "reflection", *mismatch);
  if (options.optimize) {
    if (const auto optimized = optimize(stage); !optimized) return optimized;
  }
  return options.validate ? validate(stage) : true;
}

}  // namespace

Result<bool> compile_stage(ShaderStage& stage, const GlslOptions& options) {
  if (!options.store) return compile_new(stage, options);
  const std::string key = store_key(stage, options);
  stage.spirv = options.store->find(key);
  if (!stage.spirv.empty()) return true;
  auto compiled = compile_new(stage, options);
  if (compiled) options.store->keep(key, stage.spirv);
  return compiled;
}

std::string disassemble(const std::vector<std::uint32_t>& spirv) {
  const spvtools::SpirvTools tools(tools_environment);
  std::string text;
  tools.Disassemble(spirv, &text, SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES | SPV_BINARY_TO_TEXT_OPTION_INDENT);
  return text;
}

}  // namespace lac::codegen::glsl
