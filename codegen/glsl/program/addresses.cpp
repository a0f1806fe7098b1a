#include "codegen/glsl/program/addresses.h"

#include <utility>

#include "codegen/glsl/spirv/spirv.h"
#include "codegen/glsl/text/stage_print.h"
#include "ir/support/result.h"

namespace lac::codegen::glsl {

// The addresses stand behind the parameters, which stay where they are; the whole may be too much to be pushed.
ShaderStage by_address(const ShaderStage& stage) {
  ShaderStage result = stage;
  result.name += "_by_address";
  result.spirv.clear();
  std::uint32_t offset = (stage.parameter_bytes + 7) / 8 * 8;
  for (Binding& binding : result.bindings) {
    if (binding.layout != Layout::buffer || binding.kind == ResourceKind::parameters) continue;
    binding.address_at = static_cast<std::int32_t>(offset);
    offset += 8;
  }
  if (!result.parameters_in_buffer && offset > push_constant_bytes) bind_parameters(result);
  result.glsl = print_stage(result);
  return result;
}

const ShaderStage& AddressedStages::of(const ShaderStage& stage) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<const ShaderStage>& known = stages_[&stage];
  if (!known) {
    ShaderStage made = by_address(stage);
    if (const auto compiled = compile_stage(made, options_); !compiled) throw InternalError(compiled.failure().message);
    known = std::make_unique<const ShaderStage>(std::move(made));
  }
  return *known;
}

}  // namespace lac::codegen::glsl
