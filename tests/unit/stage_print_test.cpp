// Sources of stages and what is printed from them.
#include "codegen/glsl/text/stage_print.h"

#include <catch2/catch.hpp>

#include "codegen/glsl/program/addresses.h"
#include "codegen/glsl/program/control.h"
#include "codegen/glsl/spirv/spirv.h"
#include "ir/support/result.h"

using namespace lac;
using namespace lac::codegen::glsl;

TEST_CASE("References are printed as who prints them says, once") {
  const auto upper = [](const std::string& name) { return name == "x" ? "X" : "@" + name + "_2@"; };
  CHECK(resolve("@x@[x] = " + reference("y") + ".x;", upper) == "X[x] = @y_2@.x;");
  CHECK(resolve("", upper).empty());
  CHECK_THROWS_AS(resolve("@x@ + @y", upper), InternalError);
}

TEST_CASE("A shared array knows its memory") {
  const ShaderDefinition array = shared_array("parts", "dvec4", 8);
  CHECK(array.text == "shared dvec4 @parts@[8];");
  CHECK(array.shared_bytes == 256);
  CHECK_THROWS_AS(shared_array("parts", "mat4", 8), InternalError);
}

TEST_CASE("Every control shader has a variant that reaches its buffers by address") {
  for (const ShaderStage& stage : control_shaders()) {
    ShaderStage variant = by_address(stage);
    INFO(variant.glsl);
    const auto result = compile_stage(variant, {.validate = true});
    INFO((result ? "" : result.failure().message));
    CHECK(result.ok());
    for (const Binding& binding : variant.bindings)
      CHECK((binding.address_at >= 0) == (binding.kind != ResourceKind::parameters));
  }
}
