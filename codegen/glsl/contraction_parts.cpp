#include "codegen/glsl/contraction_parts.h"

#include <algorithm>

#include "codegen/glsl/contraction.h"
#include "codegen/glsl/kernel_stages.h"
#include "codegen/glsl/product.h"

namespace lac::codegen::glsl {
namespace {

std::string parts_text(StageWriter& writer, const KernelContext& context) {
  const std::string terms = writer.size(contraction_terms(context.kernel)),
                    part = std::to_string(contraction_part(context));
  return "(" + terms + " / " + part + " + (" + terms + " % " + part + " != 0 ? 1 : 0))";
}

std::string position(StageWriter& writer, const KernelContext& context, const std::string& part, const Point& point) {
  const Size points = context.kernel.rows * context.kernel.cols;
  return "[" + part + " * " + writer.size(points) + " + " + domain_position(writer, context.kernel, point) + "]";
}

/// The kernel with its contraction alone.
Kernel contraction_alone(const Kernel& kernel) {
  Kernel alone = kernel;
  alone.body = {};
  alone.stores.clear();
  alone.reductions.clear();
  return alone;
}

}  // namespace

bool has_parts(const KernelContext& context) {
  return context.options.split && context.kernel.schedule.groups.sums.form != GroupSums::Form::none;
}

// A sixtieth of the bound for each invocation, as it may come by many rows.
std::int64_t contraction_part(const KernelContext& context) {
  if (context.part_terms > 0) return context.part_terms;
  const std::int64_t turns = std::max<std::int64_t>(1, context.options.most_turns / 64);
  const GroupSums& sums = context.kernel.schedule.groups.sums;
  return turns * (sums.form == GroupSums::Form::blocks ? panel_depth : std::int64_t{sums.of_parts});
}

Size contraction_terms(const Kernel& kernel) {
  const Contraction& contraction = *kernel.contraction;
  return contraction.storage == Storage::csr ? kernel.inputs[contraction.matrix].type.cols : contraction.extent;
}

ShaderStage emit_parts_stage(const KernelContext& context, std::uint32_t scratch) {
  const Kernel alone = contraction_alone(context.kernel);
  const Element element = alone.contraction->element;
  StageWriter writer = stage_writer(context, "_parts", StageKind::main);
  const KernelContext parts = {context.plan,
                               alone,
                               context.options,
                               context.name,
                               context.places,
                               context.inputs,
                               context.outputs,
                               context.reuse,
                               context.comment,
                               -1,
                               writer.local("part_number")};
  const Size terms = contraction_terms(alone);
  const std::int64_t part = contraction_part(parts);
  writer.open_loop("for (int " + parts.part + " = int(gl_WorkGroupID.z); " + parts.part + " < " +
                       parts_text(writer, parts) + "; " + parts.part + " += int(gl_NumWorkGroups.z))",
                   TurnCount::strided(terms, part, 2));
  std::array<GroupCount, 3> groups = emit_tiles(writer, parts, [&](const Point& point, const std::string& c) {
    const std::string to =
        writer.buffer(ResourceKind::scratch, scratch, memory_type(element), "contraction_parts", false, true);
    writer.line(to + position(writer, parts, parts.part, point) + " = " + to_memory(c, element) + ";");
  });
  writer.close();
  groups[2] = {.elements = terms, .per_group = part};
  return writer.finish(groups);
}

std::string emit_sum_of_parts(StageWriter& writer, const KernelContext& context, const Point& point) {
  const Element element = context.kernel.contraction->element;
  const std::string from = writer.buffer(ResourceKind::scratch, static_cast<std::uint32_t>(context.parts),
                                         memory_type(element), "contraction_parts", true, false);
  std::string sum = writer.local("sum");
  const std::string part = writer.local("part_number");
  writer.line("precise " + std::string(register_type(element)) + " " + sum + " = " + literal_text(0, element) + ";");
  writer.open_loop("for (int " + part + " = 0; " + part + " < " + parts_text(writer, context) + "; ++" + part + ")",
                   TurnCount::over(contraction_terms(context.kernel), contraction_part(context)));
  writer.line(sum + " = " + sum + " + " + from_memory(from + position(writer, context, part, point), element) + ";");
  writer.close();
  return sum;
}

}  // namespace lac::codegen::glsl
