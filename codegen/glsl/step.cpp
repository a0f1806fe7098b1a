#include "codegen/glsl/step.h"

#include "ir/support/result.h"

namespace lac::codegen::glsl {
namespace {

bool in_buffer(const Graph& plan, ValueId id) {
  const Value& value = plan.values[id];
  return value.type.is_dense() && !value.type.is_scalar() && value.layout == Layout::buffer;
}

}  // namespace

bool has_shader(const Graph& plan, const Op& op) {
  if (op.kind == OpKind::random)
    return attribute<Distribution>(op) == Distribution::uniform && in_buffer(plan, op.results[0]);
  return op.kind == OpKind::scan && in_buffer(plan, op.operands[0]) && in_buffer(plan, op.results[0]);
}

KernelShaders emit_step(const Graph& plan, OpId op, const GlslOptions& options) {
  if (!has_shader(plan, plan.ops[op])) throw InternalError("a step without a shader");
  return plan.ops[op].kind == OpKind::random ? emit_random(plan, op, options) : emit_scan(plan, op, options);
}

}  // namespace lac::codegen::glsl
