#include "codegen/glsl/kernel/step.h"

#include "ir/plan/device_steps.h"
#include "ir/support/result.h"

namespace lac::codegen::glsl {

KernelShaders emit_step(const Graph& plan, OpId op, const GlslOptions& options) {
  const std::optional<DeviceStep> step = device_step_of(plan, plan.ops[op]);
  if (!step) throw InternalError("a step without a shader");
  switch (*step) {
    case DeviceStep::draw: return emit_random(plan, op, options);
    case DeviceStep::scan: return emit_scan(plan, op, options);
    case DeviceStep::triangular_solve: return emit_triangular_solve(plan, op, options);
    case DeviceStep::sort: return emit_sort(plan, op, options);
    case DeviceStep::accumulate: return emit_accumulate(plan, op, options);
  }
  throw InternalError("a step without a shader");
}

}  // namespace lac::codegen::glsl
