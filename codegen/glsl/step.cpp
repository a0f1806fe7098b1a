#include "codegen/glsl/step.h"

#include <algorithm>

#include "ir/support/result.h"

namespace lac::codegen::glsl {
namespace {

bool in_buffer(const Graph& plan, ValueId id) {
  const Value& value = plan.values[id];
  return value.type.is_dense() && !value.type.is_scalar() && value.layout == Layout::buffer;
}

bool is_uniform_draw(const Graph&, const Op& op) {
  return op.kind == OpKind::random && attribute<Distribution>(op) == Distribution::uniform;
}

bool is_scan(const Graph&, const Op& op) { return op.kind == OpKind::scan; }

bool is_triangular_solve(const Graph& plan, const Op& op) {
  if (op.kind != OpKind::library || attribute<LibraryFn>(op) != LibraryFn::solve) return false;
  const Type &a = plan.type(op.operands[0]), &b = plan.type(op.operands[1]), &x = plan.type(op.results[0]);
  const bool triangular = a.properties.has(Property::lower) || a.properties.has(Property::upper);
  const bool alike = a.element == x.element && b.element == x.element && is_floating(x.element);
  return triangular && alike && a.rows == a.cols && b.same_shape(x);
}

struct Step {
  bool (*is)(const Graph&, const Op&);
  KernelShaders (*emit)(const Graph&, OpId, const GlslOptions&);
};

constexpr Step steps[] = {
    {is_uniform_draw, emit_random},
    {is_scan, emit_scan},
    {is_triangular_solve, emit_triangular_solve},
};

const Step* step_of(const Graph& plan, const Op& op) {
  const auto dense = [&](ValueId id) { return in_buffer(plan, id); };
  for (const Step& step : steps)
    if (step.is(plan, op))
      return std::ranges::all_of(op.operands, dense) && std::ranges::all_of(op.results, dense) ? &step : nullptr;
  return nullptr;
}

}  // namespace

bool has_shader(const Graph& plan, const Op& op) { return step_of(plan, op) != nullptr; }

KernelShaders emit_step(const Graph& plan, OpId op, const GlslOptions& options) {
  const Step* step = step_of(plan, plan.ops[op]);
  if (!step) throw InternalError("a step without a shader");
  return step->emit(plan, op, options);
}

}  // namespace lac::codegen::glsl
