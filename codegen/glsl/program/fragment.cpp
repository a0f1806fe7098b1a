#include "codegen/glsl/program/fragment.h"

#include "codegen/glsl/program/fragment_kernel.h"
#include "codegen/glsl/spirv/spirv.h"

namespace lac::codegen::glsl {
namespace {

/// (-1, -1), (3, -1), (-1, 3): the square of the viewport and nothing else is inside.
constexpr std::string_view triangle = R"(#version 450
void main() {
  const vec2 corner = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2);
  gl_Position = vec4(2.0 * corner - 1.0, 0.0, 1.0);
}
)";

constexpr std::string_view close_trip = R"(#version 450
// Counts a trip of a loop; where its condition is false the draws of later trips get no instances.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform sampler2D condition;
layout(set = 0, binding = 1, std430) writeonly buffer draws_buffer { uvec4 draws[]; };
layout(set = 0, binding = 2, std430) buffer state_buffer { uint state[]; };  // active, trips
layout(push_constant, std430) uniform Parameters {
  int first;
  int last;
};
void main() {
  const bool runs = state[0] != 0u;
  const bool ends = runs && texelFetch(condition, ivec2(0), 0).x == 0.0;
  barrier();
  if (ends)
    for (int n = first + int(gl_LocalInvocationID.x); n < last; n += 64) draws[n] = uvec4(3u, 0u, 0u, 0u);
  if (runs && gl_LocalInvocationID.x == 0u) {
    state[0] = ends ? 0u : 1u;
    state[1] += 1u;
  }
}
)";

ShaderStage vertex_stage() {
  ShaderStage stage;
  stage.name = "triangle";
  stage.type = ShaderType::vertex;
  stage.glsl = triangle;
  return stage;
}

ShaderStage close_trip_stage() {
  ShaderStage stage;
  stage.name = "close_trip";
  stage.kind = StageKind::control;
  stage.glsl = close_trip;
  stage.bindings = {
      {.number = 0, .kind = ResourceKind::values, .layout = Layout::texel, .name = "condition"},
      {.number = 1, .kind = ResourceKind::control, .index = 0, .written = true, .read = false, .name = "draws"},
      {.number = 2, .kind = ResourceKind::control, .index = 1, .written = true, .name = "state"}};
  stage.parameters = {{.kind = ParameterKind::control, .offset = 0, .name = "first"},
                      {.kind = ParameterKind::control, .offset = 4, .name = "last"}};
  stage.parameter_bytes = 8;
  stage.workgroup = {64, 1, 1};
  return stage;
}

KernelContext texture_context(const Plan& plan, const Op& launch, const GlslOptions& options) {
  KernelContext context = kernel_context(plan, launch, options);
  context.reuse.clear();
  context.textures = true;
  return context;
}

FragmentProgram emit(const Plan& plan, const GlslOptions& options) {
  FragmentProgram program{vertex_stage(), {}, close_trip_stage()};
  program.kernels.resize(plan.kernels.size());
  for_each_op(plan, plan.body, [&](OpId id) {
    const Op& op = plan.ops[id];
    if (op.kind != OpKind::launch) return;
    FragmentKernel& passes = program.kernels[attribute<KernelId>(op)];
    if (passes.name.empty()) passes = emit_fragment_kernel(texture_context(plan, op, options));
  });
  return program;
}

}  // namespace

std::optional<FragmentObstacle> fragment_obstacle(const Graph& plan) {
  std::optional<FragmentObstacle> found;
  for_each_op(plan, plan.body, [&](OpId id) {
    const Op& op = plan.ops[id];
    if (op.kind != OpKind::launch || found) return;
    const Kernel& kernel = plan.kernels[attribute<KernelId>(op)];
    const auto why = fragment_obstacle(kernel);
    const std::string name = kernel.name.empty() ? "this" : "the kernel of " + kernel.name;
    if (why) found = {"vulkan-fragment cannot run " + name + ": " + *why, op.location};
  });
  return found;
}

Result<FragmentProgram> compile_fragments(const Plan& plan, const GlslOptions& options) {
  if (const auto obstacle = fragment_obstacle(plan)) return Failure{obstacle->reason};
  FragmentProgram program = emit(plan, options);
  std::vector<ShaderStage*> stages = {&program.vertex, &program.close_trip};
  for (FragmentKernel& kernel : program.kernels)
    for (ShaderStage* stage : kernel.stages()) stages.push_back(stage);
  for (const ShaderStage* stage : stages)
    if (stage->parameters_in_buffer)
      return Failure{"vulkan-fragment cannot run " + stage->name + ": its sizes and scalars pass the push constants"};
  for (ShaderStage* stage : stages)
    if (const auto compiled = compile_stage(*stage, options); !compiled) return compiled.failure();
  return program;
}

}  // namespace lac::codegen::glsl
