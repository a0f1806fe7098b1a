// GLSL to SPIR-V, the checks on the way, and SPIR-V to other languages.
#include "codegen/glsl/spirv/spirv.h"

#include <catch2/catch.hpp>

#include "codegen/glsl/program/addresses.h"
#include "codegen/glsl/text/stage_print.h"

using namespace lac;
using namespace lac::codegen::glsl;
using Catch::Contains;

namespace {

/// y = alpha * x, the way the generated shaders are written.
ShaderStage scale(const std::string& type, ParameterType alpha) {
  ShaderStage stage;
  stage.name = "scale_main";
  stage.float64 = type == "double";
  stage.bindings = {{.number = 0, .kind = ResourceKind::values, .index = 0, .name = "x", .type = type},
                    {.number = 1,
                     .kind = ResourceKind::output,
                     .index = 0,
                     .written = true,
                     .read = false,
                     .name = "y",
                     .type = type}};
  stage.parameters = {{.kind = ParameterKind::scalar, .index = 1, .type = alpha, .name = "alpha"},
                      {.kind = ParameterKind::size, .size = 7, .name = "n"}};
  lay_out_parameters(stage);
  stage.groups[0] = {.elements = 7, .per_group = 256};
  stage.source.main =
      "  const int i = int(gl_GlobalInvocationID.x);\n"
      "  if (i < n) @y@[i] = alpha * @x@[i];\n";
  stage.glsl = print_stage(stage);
  return stage;
}

ShaderStage single_scale() { return scale("float", ParameterType::float32); }
ShaderStage double_scale() { return scale("double", ParameterType::float64); }

std::string failure_of(ShaderStage stage) {
  const auto result = compile_stage(stage, {});
  REQUIRE_FALSE(result.ok());
  return result.failure().message;
}

}  // namespace

TEST_CASE("A shader compiles, validates and reads back, optimised or not") {
  for (const bool optimize : {false, true}) {
    for (ShaderStage stage : {single_scale(), double_scale()}) {
      const auto result = compile_stage(stage, {.optimize = optimize, .validate = true});
      INFO((result ? "" : result.failure().message));
      REQUIRE(result.ok());
      CHECK(stage.spirv.at(0) == 0x07230203);
      CHECK(stage.spirv.at(1) == 0x00010500);  // SPIR-V 1.5
      CHECK_THAT(disassemble(stage.spirv), Contains("OpEntryPoint GLCompute %main"));
    }
  }
}

TEST_CASE("A shader that does not compile is named, with the message and the numbered text") {
  ShaderStage stage = single_scale();
  stage.glsl.replace(stage.glsl.find("alpha * x[i]"), 5, "gamma");
  const std::string message = failure_of(stage);
  CHECK_THAT(message, Contains("shaderc on shader scale_main"));
  CHECK_THAT(message, Contains("'gamma' : undeclared identifier"));
  CHECK_THAT(message, Contains("  13   if (i < n) y[i] = gamma * x[i];"));
}

TEST_CASE("Reflection finds what a stage says wrongly") {
  ShaderStage stage = single_scale();
  stage.bindings[0].name = "u";
  CHECK_THAT(failure_of(stage), Contains("bindings: the shader has") && Contains("buffer x") && Contains("buffer u"));
  stage = single_scale();
  stage.bindings.pop_back();
  CHECK_THAT(failure_of(stage), Contains("bindings: the shader has"));
  stage = single_scale();
  stage.bindings[0].written = true;
  CHECK_THAT(failure_of(stage), Contains("binding 0 is read-only in the shader and written by the stage"));
  stage = single_scale();
  stage.parameters[1].offset = 8;
  CHECK_THAT(failure_of(stage), Contains("n at 4 of 4 bytes") && Contains("n at 8 of 4 bytes"));
  stage = single_scale();
  std::swap(stage.parameters[0], stage.parameters[1]);
  CHECK_THAT(failure_of(stage), Contains("parameters: the shader has"));
  stage = single_scale();
  stage.parameter_bytes = 12;
  CHECK_THAT(failure_of(stage), Contains("bytes of parameters: the shader has 8, the stage says 12"));
  stage = single_scale();
  stage.parameters_in_buffer = true;
  CHECK_THAT(failure_of(stage), Contains("the shader has push constants, the stage states none"));
  stage = single_scale();
  stage.workgroup = {64, 1, 1};
  CHECK_THAT(failure_of(stage), Contains("workgroup: the shader has [256, 1, 1], the stage says [64, 1, 1]"));
  stage = double_scale();
  stage.float64 = false;
  CHECK_THAT(failure_of(stage), Contains("the shader needs float64"));
}

TEST_CASE("Parameters may lie in a buffer") {
  ShaderStage stage = single_scale();
  bind_parameters(stage);
  stage.glsl = print_stage(stage);
  CHECK_THAT(stage.glsl, Contains("layout(set = 0, binding = 2, std430) readonly buffer Parameters {"));
  const auto result = compile_stage(stage, {.validate = true});
  INFO((result ? "" : result.failure().message));
  CHECK(result.ok());
}

TEST_CASE("Arrays are reached by address instead of by descriptors") {
  for (const bool in_buffer : {false, true}) {
    ShaderStage stage = double_scale();
    if (in_buffer) bind_parameters(stage);
    ShaderStage variant = by_address(stage);
    INFO(variant.glsl);
    CHECK_THAT(variant.glsl, Contains("y.at[i] = alpha * x.at[i];"));
    CHECK(variant.parameter_bytes == 12);
    CHECK(variant.bindings[0].address_at == 16);
    CHECK(variant.bindings[1].address_at == 24);
    CHECK(block_bytes(variant) == 32);
    CHECK(block_bytes(stage) == 12);
    const auto result = compile_stage(variant, {.validate = true});
    INFO((result ? "" : result.failure().message));
    CHECK(result.ok());
    variant.bindings[1].address_at = 32;
    CHECK_THAT(failure_of(variant), Contains("y at 24 of 8 bytes") && Contains("y at 32 of 8 bytes"));
  }
}

TEST_CASE("Parameters that are too many with their addresses move to a buffer") {
  ShaderStage stage = single_scale();
  for (int k = 0; k < 28; ++k)
    stage.parameters.push_back({.kind = ParameterKind::size, .name = "n" + std::to_string(k)});
  lay_out_parameters(stage);
  ShaderStage variant = by_address(stage);
  CHECK_FALSE(stage.parameters_in_buffer);
  CHECK(variant.parameters_in_buffer);
  CHECK(variant.bindings.back().kind == ResourceKind::parameters);
  const auto result = compile_stage(variant, {.validate = true});
  INFO((result ? "" : result.failure().message));
  CHECK(result.ok());
}

TEST_CASE("Shaders come out in other languages where those can express them") {
  ShaderStage single = single_scale(), real = double_scale();
  REQUIRE(compile_stage(single, {}).ok());
  REQUIRE(compile_stage(real, {}).ok());
  CHECK_THAT(translate(single, ShaderLanguage::hlsl).value(), Contains("[numthreads(256, 1, 1)]"));
  CHECK_THAT(translate(real, ShaderLanguage::hlsl).value(), Contains("double"));
  ShaderStage bits = double_scale();
  const std::string load = "alpha * x[i]";
  bits.glsl.replace(bits.glsl.find(load), load.size(), "packDouble2x32(unpackDouble2x32(x[i]).yx)");
  REQUIRE(compile_stage(bits, {}).ok());
  const std::string hlsl = translate(bits, ShaderLanguage::hlsl).value();
  CHECK_THAT(hlsl, Contains("return asdouble(words.x, words.y);") && Contains("asuint(value, low, high);"));
  CHECK_THAT(hlsl, !Contains("double(words.x)") && !Contains("uint(value)"));
  ShaderStage strided = single_scale();
  const std::string step = "if (i < n)";
  strided.glsl.replace(strided.glsl.find(step), step.size(), "if (i < n * int(gl_NumWorkGroups.x))");
  REQUIRE(compile_stage(strided, {}).ok());
  CHECK_THAT(translate(strided, ShaderLanguage::hlsl).value(), Contains("cbuffer SPIRV_Cross_NumWorkgroups"));
  CHECK_THAT(translate(single, ShaderLanguage::msl).value(), Contains("kernel void main0"));
  CHECK_THAT(translate(single, ShaderLanguage::essl).value(), Contains("#version 310 es"));
  CHECK(translate(real, ShaderLanguage::msl).failure().message == "scale_main: double precision in MSL");
  CHECK(translate(real, ShaderLanguage::essl).failure().message == "scale_main: double precision in ESSL");
}

TEST_CASE("Metal's buffers have the numbers of the bindings, whatever is used first; the parameters come last") {
  ShaderStage stage = single_scale();
  REQUIRE(compile_stage(stage, {}).ok());
  const std::string msl = translate(stage, ShaderLanguage::msl).value();
  CHECK_THAT(msl, Catch::Matchers::Matches("[\\s\\S]*x_buffer& [^,]*\\[\\[buffer\\(0\\)\\]\\][\\s\\S]*") &&
                      Catch::Matchers::Matches("[\\s\\S]*y_buffer& [^,]*\\[\\[buffer\\(1\\)\\]\\][\\s\\S]*") &&
                      Catch::Matchers::Matches("[\\s\\S]*Parameters& [^,]*\\[\\[buffer\\(2\\)\\]\\][\\s\\S]*"));
}

TEST_CASE("The manifest lists bindings, parameters and groups") {
  ShaderProgram program;
  program.kernels.push({.name = "scale", .stages = {single_scale()}, .scratch = {}});
  const std::string json = manifest_json(Graph{}, program);
  CHECK_THAT(json, Contains(R"("name": "scale_main")"));
  CHECK_THAT(json, Contains(R"({"offset": 4, "name": "n", "type": "int32", "kind": "size", "size": "7"})"));
  CHECK_THAT(json, Contains(R"("workgroup": [256, 1, 1])"));
  CHECK_THAT(json, Contains(R"({"elements": "7", "per_group": 256})"));
  CHECK_THAT(json, Contains(R"("steps": [],)"));
}

TEST_CASE("The compiler's version names what turns text into SPIR-V") {
  CHECK_THAT(compiler_version(), Contains("glslang") && Contains("SPIRV-Tools"));
}
