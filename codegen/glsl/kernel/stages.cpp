#include "codegen/glsl/kernel/stages.h"

#include "codegen/glsl/kernel/contraction.h"
#include "ir/kernel/body.h"

namespace lac::codegen::glsl {
namespace {

/// The name of a partial result's scratch, and a second one for its position.
std::string partial_array(StageWriter& writer, std::uint32_t scratch, std::string_view type, const std::string& wanted,
                          bool written) {
  return writer.buffer(ResourceKind::scratch, scratch, type, wanted, !written, written);
}

std::string output_name(const KernelContext& context, const KernelReduction& reduction) {
  return context.kernel.outputs[reduction.output].name;
}

std::vector<InstrId> gathers_of(const KernelContext& context, const StagePlan& plan) {
  std::vector<InstrId> roots;
  for (const Scatter& scatter : plan.scatters) {
    const AccessMap& map = context.kernel.stores[scatter.store].map;
    for (InstrId gather : {map.row_gather, map.col_gather})
      if (gather) roots.push_back(gather);
  }
  return roots;
}

}  // namespace

StageWriter stage_writer(const KernelContext& context, std::string_view suffix, StageKind kind) {
  StageWriter writer(context.plan, context.options, context.name + std::string(suffix), kind, context.comment);
  for (std::uint32_t o = 0; o < context.reuse.size(); ++o) {
    if (context.reuse[o] < 0) continue;
    writer.may_alias(ResourceKind::output, o);
    writer.may_alias(ResourceKind::values, static_cast<std::uint32_t>(context.reuse[o]));
  }
  writer.is_otherwise_distinct();
  return writer;
}

std::string domain_position(StageWriter& writer, const Kernel& kernel, const Point& point) {
  if (!point.flat.empty()) return point.flat;
  return "(" + point.i + " + " + writer.size(kernel.rows) + " * " + point.j + ")";
}

std::string winner_array(StageWriter& writer, const Scatter& scatter, bool read, bool written) {
  return writer.buffer(ResourceKind::scratch, scatter.winner, "int", "winner", read, written);
}

void open_first_lane(StageWriter& writer) { writer.open("if (" + lane(writer) + " == 0)"); }

void open_last_group(StageWriter& writer) {
  const std::string is_last = writer.shared_array("last_group", "uint", 1) + "[0]";
  open_first_lane(writer);
  writer.line("memoryBarrierBuffer();");
  writer.line("const uint arrived = atomicAdd(" + writer.arrivals() + ", 1u) + 1u;");
  writer.line("memoryBarrierBuffer();");
  writer.line(is_last + " = uint(arrived == gl_NumWorkGroups.x * gl_NumWorkGroups.y);");
  writer.line("if (" + is_last + " != 0u) " + writer.arrivals() + " = 0u;");
  writer.close();
  writer.line("memoryBarrierBuffer();");
  writer.line("barrier();");
  writer.open("if (" + is_last + " != 0u)");
}

Accumulator declare_accumulator(StageWriter& writer, const KernelContext& context, const KernelReduction& reduction) {
  const std::string wanted = output_name(context, reduction) + "_" + std::string(name(reduction.reduction.op));
  const Element element = context.kernel.outputs[reduction.output].type.element;
  return declare_accumulator(writer, reduction.reduction.op, element, wanted, reduction.index_output >= 0);
}

PartialNames partial_names(StageWriter& writer, const KernelContext& context, const KernelReduction& reduction,
                           const StagePlan::Partial& partial, const Accumulator& accumulator, bool written) {
  const std::string wanted = output_name(context, reduction) + "_partials";
  PartialNames names = {partial_array(writer, partial.value, memory_type(accumulator.element), wanted, written), {}};
  if (partial.position >= 0)
    names.position =
        partial_array(writer, static_cast<std::uint32_t>(partial.position), "int", wanted + "_positions", written);
  return names;
}

// With nothing but NaN the first element is reported.
void emit_result(StageWriter& writer, const KernelContext& context, const KernelReduction& reduction,
                 const Accumulator& accumulator, const std::string& line) {
  const bool columns = reduction.reduction.axis == Axis::rows;
  const Position position{.index = line, .inside = {}, .row = columns ? "0" : line, .col = columns ? line : "0"};
  emit_store(writer, context, reduction.output, position, {accumulator.value, accumulator.element});
  if (reduction.index_output < 0) return;
  const TypedText index{"double(max(" + accumulator.position + ", 1))", Element::integer};
  emit_store(writer, context, static_cast<std::uint32_t>(reduction.index_output), position, index);
}

ShaderStage emit_clear_stage(const KernelContext& context, const StagePlan& plan) {
  StageWriter writer = stage_writer(context, "_clear", StageKind::copy);
  Size elements = 0;
  for (const Scatter& scatter : plan.scatters) {
    const KernelOutput& output = context.kernel.outputs[context.kernel.stores[scatter.store].output];
    elements = elements + output.type.count();
    writer.open_loop("for (int e = int(gl_GlobalInvocationID.x); e < " + writer.size(output.type.count()) +
                         "; e += int(gl_NumWorkGroups.x) * " + std::to_string(workgroup_size) + ")",
                     TurnCount::strided(output.type.count(), workgroup_size));
    writer.line(winner_array(writer, scatter, false, true) + "[e] = 0;");
    writer.close();
  }
  return writer.finish({GroupCount{elements, workgroup_size, 0, most_groups}, {}, {}});
}

ShaderStage emit_mark_stage(const KernelContext& context, const StagePlan& plan) {
  StageWriter writer = stage_writer(context, "_mark", StageKind::copy);
  BodyEmitter body(writer, context, context.kernel.body, gathers_of(context, plan));
  const auto visit = [&](const Point& point, const std::string&) {
    const std::string c = body.needs_contraction() ? emit_contraction(writer, context, point) : "";
    body.evaluate(point, {.matrix_element = {}, .contraction = c});
    for (const Scatter& scatter : plan.scatters) {
      const Store& store = context.kernel.stores[scatter.store];
      const Position position =
          emit_position(writer, context.kernel, store.map, context.kernel.outputs[store.output].type, point,
                        body.gathered(store.map));
      const std::string when = position.inside.empty() ? "" : "if (" + position.inside + ") ";
      writer.line(when + "atomicMax(" + winner_array(writer, scatter, true, true) + "[" + position.index + "], " +
                  domain_position(writer, context.kernel, point) + " + 1);");
    }
  };
  return writer.finish(emit_points(writer, context, false, visit));
}

ShaderStage emit_lines_stage(const KernelContext& context, const StagePlan& plan) {
  StageWriter writer = stage_writer(context, "_lines", StageKind::combine);
  const Size& lines = line_count(context);
  const std::string line = writer.local("line"), part = writer.local("slice");
  const std::string count = writer.size(lines);
  const std::int64_t per_group = workgroup_size;
  writer.open_loop("for (int " + line + " = int(gl_GlobalInvocationID.x); " + line + " < " + count + "; " + line +
                       " += int(gl_NumWorkGroups.x) * " + std::to_string(per_group) + ")",
                   TurnCount::strided(lines, per_group));
  for (std::size_t l = 0; l < plan.lines.size(); ++l) {
    const KernelReduction& reduction = context.kernel.reductions[plan.lines[l]];
    const Accumulator accumulator = declare_accumulator(writer, context, reduction);
    writer.open_loop(
        "for (int " + part + " = 0; " + part + " < " + writer.groups_of(plan.main_stage, 1) + "; ++" + part + ")",
        TurnCount::groups(plan.main_stage, 1, 1));
    const std::string at = "[" + part + " * " + count + " + " + line + "]";
    const PartialNames names = partial_names(writer, context, reduction, plan.line_partials[l], accumulator, false);
    accumulate(writer, accumulator, from_memory(names.value + at, accumulator.element),
               names.position.empty() ? "" : names.position + at);
    writer.close();
    emit_result(writer, context, reduction, accumulator, line);
  }
  writer.close();
  return writer.finish({GroupCount{.elements = lines, .per_group = per_group, .most = most_groups}, {}, {}});
}

void emit_totals(StageWriter& writer, const KernelContext& context, const StagePlan& plan) {
  const std::string count =
      plan.in_last_group ? "int(gl_NumWorkGroups.x * gl_NumWorkGroups.y)" : writer.groups_of(plan.main_stage);
  const TurnCount turns =
      plan.in_last_group ? TurnCount::own_groups(workgroup_size) : TurnCount::groups(plan.main_stage, workgroup_size);
  for (std::size_t t = 0; t < plan.totals.size(); ++t) {
    const KernelReduction& reduction = context.kernel.reductions[plan.totals[t]];
    const Accumulator accumulator = declare_accumulator(writer, context, reduction);
    const PartialNames names = partial_names(writer, context, reduction, plan.partials[t], accumulator, false);
    const std::string group = writer.local("group"), at = "[" + group + "]";
    writer.open_loop("for (int " + group + " = " + lane(writer) + "; " + group + " < " + count + "; " + group +
                         " += " + std::to_string(workgroup_size) + ")",
                     turns);
    accumulate(writer, accumulator, from_memory(names.value + at, accumulator.element),
               names.position.empty() ? "" : names.position + at);
    writer.close();
    emit_workgroup_tree(writer, accumulator);
    open_first_lane(writer);
    emit_result(writer, context, reduction, accumulator, "0");
    writer.close();
  }
}

void emit_tail(StageWriter& writer, const StagePlan& plan) {
  if (plan.tail.empty()) return;
  open_first_lane(writer);
  writer.end_head();
  for (const KernelContext& tail : plan.tail) {
    BodyEmitter body(writer, tail, tail.kernel.body, results_of(tail.kernel));
    body.evaluate({.i = "0", .j = "0", .k = "0", .flat = ""}, {});
    for (const Store& store : tail.kernel.stores) emit_store(writer, tail, store.output, {}, body.value(store.value));
  }
  writer.close();
}

ShaderStage emit_combine_stage(const KernelContext& context, const StagePlan& plan) {
  StageWriter writer = stage_writer(context, "_combine", StageKind::combine);
  emit_totals(writer, context, plan);
  emit_tail(writer, plan);
  return writer.finish({GroupCount{.elements = 1, .per_group = 1, .least = 1, .most = 1}, {}, {}});
}

}  // namespace lac::codegen::glsl
