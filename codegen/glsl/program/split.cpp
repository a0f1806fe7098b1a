#include "codegen/glsl/program/split.h"

#include "codegen/glsl/kernel/kernel.h"
#include "codegen/glsl/kernel/step.h"
#include "codegen/glsl/spirv/spirv.h"
#include "ir/support/result.h"

namespace lac::codegen::glsl {

SplitShaders::SplitShaders(const Plan& plan, const GlslOptions& options) : plan_(plan), options_(options) {
  options_.split = true;
}

const KernelShaders& SplitShaders::of(OpId id) {
  const std::lock_guard lock(mutex_);
  const Op& op = plan_.ops[id];
  if (op.kind == OpKind::launch) id = first_launch_.emplace(attribute<KernelId>(op), id).first->second;
  std::unique_ptr<const KernelShaders>& known = made_[id];
  if (known) return *known;
  KernelShaders made = op.kind == OpKind::launch ? emit_kernel(plan_, id, options_) : emit_step(plan_, id, options_);
  for (ShaderStage& stage : made.stages)
    if (const auto compiled = compile_stage(stage, options_); !compiled)
      throw InternalError(compiled.failure().message);
  known = std::make_unique<const KernelShaders>(std::move(made));
  return *known;
}

}  // namespace lac::codegen::glsl
