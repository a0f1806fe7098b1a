#include "codegen/glsl/program/program.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "codegen/glsl/kernel/context.h"
#include "codegen/glsl/kernel/kernel.h"
#include "codegen/glsl/kernel/step.h"
#include "codegen/glsl/program/control.h"
#include "codegen/glsl/program/loop.h"
#include "codegen/glsl/spirv/spirv.h"
#include "ir/support/parallel.h"

namespace lac::codegen::glsl {
namespace {

std::vector<ShaderStage*> all_stages(ShaderProgram& program) {
  std::vector<ShaderStage*> stages;
  const auto add = [&](std::vector<ShaderStage>& some) {
    for (ShaderStage& stage : some) stages.push_back(&stage);
  };
  for (KernelShaders& kernel : program.kernels) add(kernel.stages);
  for (auto& [op, step] : program.steps) add(step.stages);
  for (auto& [op, loop] : program.loops) stages.push_back(&loop.stage);
  add(program.control);
  return stages;
}

}  // namespace

ShaderProgram emit_shaders(const Plan& plan, const GlslOptions& options) {
  ShaderProgram program;
  program.kernels.resize(plan.kernels.size());
  const std::set<OpId> in_tails = ops_in_tails(plan);
  for_each_op(plan, plan.body, [&](OpId id) {
    const Op& op = plan.ops[id];
    if (op.kind != OpKind::launch) return;
    KernelShaders& shaders = program.kernels[attribute<KernelId>(op)];
    if (in_tails.contains(id)) shaders.name = kernel_context(plan, op, options).name;
    else if (shaders.stages.empty()) shaders = emit_kernel(plan, id, options);
  });
  for (OpId step : plan.device_steps) program.steps.emplace(step, emit_step(plan, step, options));
  for (const auto& [id, loop] : plan.loops)
    if (loop.on_device())
      if (std::optional<LoopShader> shader = emit_loop(plan, id, program.kernels, options))
        program.loops.emplace(id, std::move(*shader));
  program.control = control_shaders();
  return program;
}

Result<ShaderProgram> compile_shaders(const Plan& plan, const GlslOptions& options) {
  ShaderProgram program = emit_shaders(plan, options);
  const std::vector<ShaderStage*> work = all_stages(program);
  std::vector<std::optional<Failure>> failures(work.size());
  in_parallel(work.size(), [&](std::size_t n) {
    const Result<bool> compiled = compile_stage(*work[n], options);
    if (!compiled.ok()) failures[n] = compiled.failure();
  });
  for (const std::optional<Failure>& failure : failures)
    if (failure) return *failure;
  return program;
}

}  // namespace lac::codegen::glsl
