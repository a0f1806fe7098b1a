#include "driver/vulkan/shader_stages.h"

#include <algorithm>
#include <functional>

#include "codegen/glsl/program/program.h"

namespace lac::driver {

namespace {

using codegen::glsl::ShaderLanguage;

void for_each_stage(const ShaderProgram& program, const std::function<void(const ShaderStage&)>& visit) {
  for (const KernelShaders& kernel : program.kernels) std::ranges::for_each(kernel.stages, visit);
  for (const auto& [op, step] : program.steps) std::ranges::for_each(step.stages, visit);
  for (const auto& [op, loop] : program.loops) visit(loop.stage);
  std::ranges::for_each(program.control, visit);
}

std::string bytes_of(const std::vector<std::uint32_t>& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint32_t)};
}

/// A shader in one language: how it is shown, and what its file holds.
struct Rendered {
  std::string text, content;
};

struct Language {
  std::string_view stage;
  std::string_view extension;
  Result<Rendered> (*render)(const ShaderStage&);
  bool orders_groups = true;  ///< its memory barriers reach other workgroups
};

Result<Rendered> translated(const ShaderStage& stage, ShaderLanguage language) {
  auto text = codegen::glsl::translate(stage, language);
  if (!text) return text.failure();
  return Rendered{text.value(), text.value()};
}

constexpr Language languages[] = {
    {"glsl", ".comp",
     [](const ShaderStage& stage) -> Result<Rendered> {
       return Rendered{stage.glsl, stage.glsl};
     }},
    {"spirv", ".spv",
     [](const ShaderStage& stage) -> Result<Rendered> {
       return Rendered{codegen::glsl::disassemble(stage.spirv), bytes_of(stage.spirv)};
     }},
    {"hlsl", ".hlsl", [](const ShaderStage& stage) { return translated(stage, ShaderLanguage::hlsl); }},
    {"msl", ".metal", [](const ShaderStage& stage) { return translated(stage, ShaderLanguage::msl); }, false},
    {"essl", ".essl", [](const ShaderStage& stage) { return translated(stage, ShaderLanguage::essl); }},
};

/// GLSL compilers go by it.
std::string extension(const Language& language, const ShaderStage& stage) {
  if (language.stage != "glsl" || stage.type == ShaderType::compute) return std::string(language.extension);
  return stage.type == ShaderType::vertex ? ".vert" : ".frag";
}

const Language& language_of(std::string_view stage) { return *std::ranges::find(languages, stage, &Language::stage); }

/// `left_out` gets a line where the language cannot express the shader.
void add(Shown& shown, std::string& left_out, const Language& language, const ShaderStage& stage) {
  const Result<Rendered> rendered = language.render(stage);
  if (!rendered) {
    left_out += rendered.failure().message + "\n";
    shown.text += "// ---- not in " + std::string(language.stage) + ": " + rendered.failure().message + "\n\n";
    return;
  }
  const char* comment = language.stage == "spirv" ? "; ---- " : "// ---- ";
  shown.text += comment + stage.name + "\n" + rendered.value().text;
  if (!shown.text.ends_with('\n')) shown.text += '\n';
  shown.text += '\n';
  shown.files.push_back({stage.name + extension(language, stage), rendered.value().content});
}

}  // namespace

codegen::glsl::GlslOptions glsl_options(const SourceManager& sources, std::string_view stage) {
  codegen::glsl::GlslOptions options;
  options.sources = &sources;
  options.max_groups = codegen::glsl::groups_of_gpu;
  const auto* language = std::ranges::find(languages, stage, &Language::stage);
  options.last_group_combines = language == std::end(languages) || language->orders_groups;
#ifdef LAC_VERIFY_PASSES
  options.validate = true;
#endif
  return options;
}

Result<api::EmittedFile> shader_file(std::string_view stage, const ShaderStage& shader) {
  const Language& language = language_of(stage);
  Result<Rendered> rendered = language.render(shader);
  if (!rendered) return rendered.failure();
  return api::EmittedFile{shader.name + extension(language, shader), std::move(rendered.value().content)};
}

bool is_shader_stage(std::string_view name) {
  return std::ranges::find(shader_stages, name) != std::end(shader_stages);
}

Result<Shown> show_shaders(std::string_view stage, const Plan& plan, const codegen::glsl::GlslOptions& options) {
  auto program = codegen::glsl::compile_shaders(plan, options);
  if (!program) return program.failure();
  return show_shaders(stage, plan, program.value());
}

Shown show_shaders(std::string_view stage, const Plan& plan, const ShaderProgram& program) {
  const Language& language = language_of(stage);
  Shown shown;
  std::string left_out;
  for_each_stage(program, [&](const ShaderStage& shader) { add(shown, left_out, language, shader); });
  shown.files.push_back({"manifest.json", codegen::glsl::manifest_json(plan, program)});
  if (!left_out.empty()) shown.files.push_back({"left_out.txt", std::move(left_out)});
  return shown;
}

}  // namespace lac::driver
