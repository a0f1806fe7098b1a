#include "codegen/glsl/kernel/step.h"
#include "codegen/glsl/text/stage_writer.h"
#include "ir/plan/device_steps.h"

namespace lac::codegen::glsl {
namespace {

/// Each result looks at all positions, a sum by one invocation: no more looks than a sort has comparisons.
constexpr std::int64_t most_positions = 4096, most_looks = std::int64_t{4096} * 4096;

}  // namespace

KernelShaders emit_accumulate(const Graph& plan, OpId id, const GlslOptions& options) {
  const Op& op = plan.ops[id];
  const AccumulateStep step = *accumulate_step_of(plan, op);
  const Type &places = plan.type(op.operands[0]), &type = plan.type(op.results[0]);
  const Element element = type.element;
  KernelShaders shaders;
  shaders.name = "accumulate_" + std::to_string(id.index);
  StageWriter writer(plan, options, shaders.name, StageKind::main,
                     {std::string(lac::name(step.op)) + " of the values of each position, in order"});
  for (const char* own : {"e", "met", "n", "state", "value"}) writer.local(own);  // no array may have these names
  const auto named = [&](ValueId value, const char* other) {
    return plan.values[value].name.empty() ? std::string(other) : plan.values[value].name;
  };
  const std::string positions = writer.buffer(ResourceKind::values, 0, memory_type(places.element),
                                              named(op.operands[0], "positions"), true, false);
  const std::string values =
      writer.buffer(ResourceKind::values, 1, memory_type(element), named(op.operands[1], "values"), true, false);
  const std::string to =
      writer.buffer(ResourceKind::output, 0, memory_type(element), named(op.results[0], "cells"), false, true);
  const std::string state_type(register_type(element));
  writer.open_loop("for (int e = int(gl_GlobalInvocationID.x); e < " + writer.size(type.count()) +
                       "; e += int(gl_NumWorkGroups.x * gl_WorkGroupSize.x))",
                   TurnCount::strided(type.count(), workgroup_size));
  writer.line(state_type + " state = " + literal_text(identity(step.op), element) + ";");
  writer.line("bool met = false;");
  writer.open_loop("for (int n = 0; n < " + writer.size(places.count()) + "; ++n)", TurnCount::over(places.count()));
  writer.open("if (int(" + positions + "[n]) == e + 1)");
  writer.line("const " + state_type + " value = " + values + "[n];");
  writer.line("state = " + combine_text(step.op, element, "state", "value", writer.functions()) + ";");
  writer.line("met = true;");
  writer.close();
  writer.close();
  writer.line(to + "[e] = met ? state : " + literal_text(step.filler, element) + ";");
  writer.close();
  const GroupCount groups = {.elements = type.count(), .per_group = workgroup_size, .most = 16384};
  shaders.bounds = {{places.count(), most_positions}, {places.count() * type.count(), most_looks}};
  shaders.stages.push_back(writer.finish({groups, {}, {}}));
  return shaders;
}

}  // namespace lac::codegen::glsl
