#include "codegen/glsl/program/fragment.h"

#include "codegen/glsl/program/fragment_kernel.h"
#include "codegen/glsl/spirv/spirv.h"
#include "codegen/glsl/text/packed.h"

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
    for (int n = first + int(gl_LocalInvocationID.x); n < last; n += 64) draws[n].y = 0u;  // instances
  if (runs && gl_LocalInvocationID.x == 0u) {
    state[0] = ends ? 0u : 1u;
    state[1] += 1u;
  }
}
)";

constexpr std::string_view copy = R"(#version 450
layout(set = 0, binding = 0) uniform sampler2D from;
layout(location = 0) out vec4 target;
void main() { target = texelFetch(from, ivec2(gl_FragCoord.xy), 0); }
)";

constexpr std::string_view zero = R"(#version 450
layout(location = 0) out vec4 target;
void main() { target = vec4(0.0); }
)";

constexpr std::string_view scatter_vertex = R"(
layout(set = 0, binding = 0) uniform sampler2D positions;
layout(set = 0, binding = 1) uniform sampler2D positions_rest;
layout(push_constant, std430) uniform Parameters {
  int channel;
  int width;
  int height;
};
layout(location = 0) flat out int point;
void main() {
  point = gl_VertexIndex;
  const int e = int(lac_packed(positions, point)) + int(lac_packed(positions_rest, point)) - 1;
  const bool here = e >= 0 && (e & 3) == channel;
  const vec2 place = vec2(lac_place(e >> 2)) + 0.5;
  gl_Position = here ? vec4(2.0 * place / vec2(width, height) - 1.0, 0.0, 1.0) : vec4(2.0, 2.0, 0.0, 1.0);
  gl_PointSize = 1.0;
}
)";

constexpr std::string_view scatter = R"(
layout(set = 0, binding = 2) uniform sampler2D values;
layout(location = 0) flat in int point;
layout(location = 0) out vec4 target;
void main() { target = vec4(lac_packed(values, point)); }
)";

constexpr std::string_view scatter_doubles = R"(
layout(set = 0, binding = 2) uniform sampler2D values;
layout(set = 0, binding = 3) uniform sampler2D rest;
layout(location = 0) flat in int point;
layout(location = 0) out vec4 target;
layout(location = 1) out vec4 target_rest;
void main() {
  target = vec4(lac_packed(values, point));
  target_rest = vec4(lac_packed(rest, point));
}
)";

std::string with_packed(std::string_view text) {
  return "#version 450\n" + std::string(packed_functions) + std::string(text);
}

/// `textures` are bindings from `first` on.
ShaderStage graphics_stage(std::string name, ShaderType type, std::string_view text,
                           const std::vector<std::string>& textures = {}, std::uint32_t first = 0) {
  ShaderStage stage;
  stage.name = std::move(name);
  stage.type = type;
  stage.glsl = text;
  for (const std::string& texture : textures) {
    const std::uint32_t n = first++;
    stage.bindings.push_back(
        {.number = n, .kind = ResourceKind::scratch, .index = n, .layout = Layout::texel, .name = texture});
  }
  return stage;
}

ShaderStage scatter_vertex_stage() {
  ShaderStage stage = graphics_stage("scatter_points", ShaderType::vertex, with_packed(scatter_vertex),
                                     {"positions", "positions_rest"});
  stage.parameters = {{.kind = ParameterKind::control, .offset = 0, .name = "channel"},
                      {.kind = ParameterKind::control, .offset = 4, .name = "width"},
                      {.kind = ParameterKind::control, .offset = 8, .name = "height"}};
  stage.parameter_bytes = sizeof(ScatterParameters);
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
  FragmentProgram program{
      .vertex = graphics_stage("triangle", ShaderType::vertex, triangle),
      .kernels = {},
      .close_trip = close_trip_stage(),
      .copy = graphics_stage("copy", ShaderType::fragment, copy, {"from"}),
      .zero = graphics_stage("zero", ShaderType::fragment, zero),
      .scatter_vertex = scatter_vertex_stage(),
      .scatter = graphics_stage("scatter", ShaderType::fragment, with_packed(scatter), {"values"}, 2),
      .scatter_doubles =
          graphics_stage("scatter_doubles", ShaderType::fragment, with_packed(scatter_doubles), {"values", "rest"}, 2)};
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

Result<FragmentProgram> compile_fragments(const Plan& plan, const GlslOptions& options) {
  FragmentProgram program = emit(plan, options);
  std::vector<ShaderStage*> stages = program.own_stages();
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
