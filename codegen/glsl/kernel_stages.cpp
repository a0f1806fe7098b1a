#include "codegen/glsl/kernel_stages.h"

#include "codegen/glsl/contraction.h"

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

Accumulator declare_accumulator(StageWriter& writer, const KernelContext& context, const KernelReduction& reduction) {
  const std::string wanted = output_name(context, reduction) + "_" + std::string(name(reduction.reduction.op));
  const Element element = context.kernel.outputs[reduction.output].type.element;
  return declare_accumulator(writer, reduction.reduction.op, element, wanted, reduction.index_output >= 0);
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
    writer.open("for (int e = int(gl_GlobalInvocationID.x); e < " + writer.size(output.type.count()) +
                "; e += int(gl_NumWorkGroups.x) * " + std::to_string(context.options.workgroup) + ")");
    writer.line(winner_array(writer, scatter, false, true) + "[e] = 0;");
    writer.close();
  }
  return writer.finish({GroupCount{elements, context.options.workgroup, 0, most_groups}, {}, {}});
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

ShaderStage emit_combine_stage(const KernelContext& context, const StagePlan& plan) {
  StageWriter writer = stage_writer(context, "_combine", StageKind::combine);
  for (std::size_t t = 0; t < plan.totals.size(); ++t) {
    const KernelReduction& reduction = context.kernel.reductions[plan.totals[t]];
    const StagePlan::Partial& partial = plan.partials[t];
    const Accumulator accumulator = declare_accumulator(writer, context, reduction);
    const std::string wanted = output_name(context, reduction) + "_partials";
    const std::string values = partial_array(writer, partial.value, memory_type(accumulator.element), wanted, false);
    const std::string group = writer.local("group"), at = "[" + group + "]";
    writer.open("for (int " + group + " = " + lane(writer) + "; " + group + " < " + writer.groups_of(plan.main_stage) +
                "; " + group + " += " + std::to_string(context.options.workgroup) + ")");
    const std::string positions =
        partial.position < 0
            ? ""
            : partial_array(writer, static_cast<std::uint32_t>(partial.position), "int", wanted + "_positions", false) +
                  at;
    accumulate(writer, accumulator, from_memory(values + at, accumulator.element), positions);
    writer.close();
    emit_workgroup_tree(writer, accumulator);
    open_first_lane(writer);
    emit_result(writer, context, reduction, accumulator, "0");
    writer.close();
  }
  return writer.finish({GroupCount{.elements = 1, .per_group = 1, .least = 1, .most = 1}, {}, {}});
}

}  // namespace lac::codegen::glsl
