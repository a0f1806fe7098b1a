#include "codegen/glsl/kernel/contraction_parts.h"

#include <algorithm>

#include "codegen/glsl/kernel/contraction.h"
#include "codegen/glsl/kernel/product.h"
#include "codegen/glsl/kernel/stages.h"

namespace lac::codegen::glsl {
namespace {

/// Terms that the invocations of a workgroup take in one turn.
std::int64_t terms_of_turn(const KernelContext& context) {
  const GroupSums& sums = context.kernel.schedule.groups.sums;
  return sums.form == GroupSums::Form::blocks ? panel_depth : std::int64_t{sums.of_parts};
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

std::string part_length(StageWriter& writer, const KernelContext& context) {
  if (context.part_terms > 0) return std::to_string(context.part_terms);
  writer.head_once("const int part_terms = " +
                   rounded_share(writer.size(contraction_terms(context.kernel)), "int(gl_NumWorkGroups.z)",
                                 std::to_string(terms_of_turn(context))) +
                   ";");
  return "part_terms";
}

PartRange emit_part_range(StageWriter& writer, const KernelContext& context, const std::string& first,
                          const std::string& end) {
  const std::string part = part_length(writer, context);
  PartRange range{writer.local("part_first"), writer.local("part_end")};
  // Neither sum passes `end`, which is an int.
  const std::string before = first == "0" ? "" : first + " + ", length = first == "0" ? end : end + " - " + first;
  writer.line("const int " + range.first + " = " + before + "min(" + context.part + " * " + part + ", " + length +
              "), " + range.end + " = " + range.first + " + min(" + part + ", " + end + " - " + range.first + ");");
  return range;
}

TurnCount part_turns(const KernelContext& context, std::int64_t lanes) {
  if (context.part_terms > 0) return TurnCount::constant((context.part_terms + lanes - 1) / lanes);
  return TurnCount::strided(contraction_terms(context.kernel), lanes, 2);
}

Size contraction_terms(const Kernel& kernel) {
  const Contraction& contraction = *kernel.contraction;
  return contraction.storage == Storage::csr ? kernel.inputs[contraction.matrix].type.cols : contraction.extent;
}

ShaderStage emit_parts_stage(const KernelContext& context, std::uint32_t scratch) {
  const Kernel alone = contraction_alone(context.kernel);
  const Element element = alone.contraction->element;
  StageWriter writer = stage_writer(context, "_parts", StageKind::main);
  const KernelContext parts = {
      context.plan,    alone,         context.options, context.name, context.places,         context.inputs,
      context.outputs, context.reuse, context.comment, -1,           "int(gl_WorkGroupID.z)"};
  std::array<GroupCount, 3> groups = emit_tiles(writer, parts, [&](const Point& point, const std::string& c) {
    const std::string to =
        writer.buffer(ResourceKind::scratch, scratch, memory_type(element), "contraction_parts", false, true);
    writer.line(to + position(writer, parts, parts.part, point) + " = " + to_memory(c, element) + ";");
  });
  groups[2] = {.elements = contraction_terms(alone),
               .per_group = least_turns_of_part * terms_of_turn(parts),
               .least = 1,
               .filling = busy_groups};
  return writer.finish(groups);
}

std::string emit_sum_of_parts(StageWriter& writer, const KernelContext& context, const Point& point) {
  const Element element = context.kernel.contraction->element;
  const std::string from = writer.buffer(ResourceKind::scratch, static_cast<std::uint32_t>(context.parts),
                                         memory_type(element), "contraction_parts", true, false);
  std::string sum = writer.local("sum");
  const std::string part = writer.local("part_number");
  writer.line("precise " + std::string(register_type(element)) + " " + sum + " = " + literal_text(0, element) + ";");
  writer.open_loop("for (int " + part + " = 0; " + part + " < " + writer.groups_of(0, 2) + "; ++" + part + ")",
                   TurnCount::groups(0, 1, 2));
  writer.line(sum + " = " + sum + " + " + from_memory(from + position(writer, context, part, point), element) + ";");
  writer.close();
  return sum;
}

}  // namespace lac::codegen::glsl
