#include "codegen/glsl/kernel_walk.h"

#include <algorithm>

#include "codegen/glsl/contraction.h"
#include "codegen/glsl/kernel_tiles.h"

namespace lac::codegen::glsl {
namespace {

bool is_short(const Size& size) { return size.is_constant() && size.constant() <= short_line; }

GroupCount groups_for(const KernelContext& context, const Size& elements, std::int64_t per_group, bool reduces) {
  const std::int64_t most = reduces ? context.options.max_groups : most_groups;
  return {.elements = elements, .per_group = per_group, .least = reduces ? 1 : 0, .most = most};
}

std::string stride(StageWriter& writer) {
  return "int(gl_NumWorkGroups.x) * " + std::to_string(writer.options().workgroup);
}

std::string loop(const std::string& variable, const std::string& first, const std::string& end,
                 const std::string& step) {
  return "for (int " + variable + " = " + first + "; " + variable + " < " + end + "; " + variable + " += " + step + ")";
}

/// Whether a point must know its coordinates, or only its position.
bool needs_coordinates(const KernelContext& context) {
  const Kernel& kernel = context.kernel;
  if (kernel.contraction || std::ranges::find(context.inputs, Layout::texel) != context.inputs.end()) return true;
  const auto touches = [&](const AccessMap& map, const Type& matrix) {
    if (map == AccessMap::scalar()) return false;
    return map != AccessMap::identity() || matrix.rows != kernel.rows || matrix.cols != kernel.cols;
  };
  for (const Instr& instr : kernel.body) {
    if (instr.kind == InstrKind::index) return true;
    if (instr.kind == InstrKind::load && touches(instr.map, kernel.inputs[instr.argument].type)) return true;
  }
  return std::any_of(kernel.stores.begin(), kernel.stores.end(),
                     [&](const Store& store) { return touches(store.map, kernel.outputs[store.output].type); });
}

}  // namespace

Walk choose_walk(const KernelContext& context) {
  const Kernel& kernel = context.kernel;
  if (std::ranges::find(context.outputs, Layout::texel) != context.outputs.end()) return {WalkKind::texels, Axis::all};
  for (const KernelReduction& reduction : kernel.reductions) {
    const Axis axis = effective_axis(kernel, reduction.reduction.axis);
    if (axis == Axis::all) continue;
    const bool by_group = axis == Axis::rows ? !is_short(kernel.rows) : is_short(kernel.rows);
    if (by_group) return {WalkKind::group_lines, axis};
    return {axis == Axis::rows ? WalkKind::lines : WalkKind::strips, axis};
  }
  const bool tiled = kernel.contraction && contraction_form(context) == ContractionForm::tiled;
  return {tiled ? WalkKind::tiled : WalkKind::points, Axis::all};
}

std::string lane(StageWriter& writer) {
  writer.head_once("const int lane = int(gl_LocalInvocationID.x);");
  return "lane";
}

Point point_at(StageWriter& writer, const KernelContext& context, const std::string& position) {
  const Kernel& kernel = context.kernel;
  Point point{.flat = position};
  if (kernel.cols.is(1)) {
    point.i = position;
    point.j = "0";
  } else if (kernel.rows.is(1)) {
    point.i = "0";
    point.j = position;
  } else if (needs_coordinates(context)) {
    const std::string rows = writer.size(kernel.rows);
    writer.line("const int i = " + position + " % " + rows + ";");
    writer.line("const int j = " + position + " / " + rows + ";");
  }
  return point;
}

std::array<GroupCount, 3> emit_points(StageWriter& writer, const KernelContext& context, bool reduces,
                                      const Visit& visit) {
  if (walks_in_tiles(context.kernel)) return emit_point_tiles(writer, context, reduces, visit);
  const Size count = context.kernel.rows * context.kernel.cols;
  const std::string name = context.kernel.cols.is(1) ? "i" : context.kernel.rows.is(1) ? "j" : "e";
  if (count.is(1)) {
    // One point: no loop, and one invocation does it.
    writer.open("if (gl_GlobalInvocationID.x == 0u)");
    visit({.i = "0", .j = "0", .flat = "0"}, {});
  } else if (reduces) {
    // Four points a turn, so that their loads are on their way together.
    writer.head("const int stride = " + stride(writer) + ";");
    writer.open(loop("base", "int(gl_GlobalInvocationID.x)", writer.size(count), "4 * stride"));
    writer.open("for (int turn = 0; turn < 4; ++turn)");
    writer.line("const int " + name + " = base + turn * stride;");
    writer.open("if (" + name + " < " + writer.size(count) + ")");
    visit(point_at(writer, context, name), {});
    writer.close();
    writer.close();
  } else {
    writer.open(loop(name, "int(gl_GlobalInvocationID.x)", writer.size(count), stride(writer)));
    visit(point_at(writer, context, name), {});
  }
  writer.close();
  return {groups_for(context, count, writer.options().workgroup, reduces), {}, {}};
}

namespace {

// Neighbouring lanes have neighbouring rows, which lie next to one another; the slices of a row share out its columns.
std::array<GroupCount, 3> emit_row_strips(StageWriter& writer, const KernelContext& context, bool reduces,
                                          const LineAction& begin, const Visit& visit, const LineAction& end) {
  const std::string side = std::to_string(strip_rows);
  const std::string slices = std::to_string(writer.options().workgroup / strip_rows);
  const std::string rows = writer.size(context.kernel.rows);
  writer.open(loop("strip", "int(gl_WorkGroupID.x) * " + side, rows, "int(gl_NumWorkGroups.x) * " + side));
  writer.line("const int i = strip + " + lane(writer) + " % " + side + ";");
  begin("i");
  writer.open("if (i < " + rows + ")");
  writer.open(loop("j", lane(writer) + " / " + side, writer.size(context.kernel.cols), slices));
  visit({}, {});
  writer.close();
  writer.close();
  end("i");
  writer.close();
  return {groups_for(context, context.kernel.rows, strip_rows, reduces), {}, {}};
}

}  // namespace

std::array<GroupCount, 3> emit_lines(StageWriter& writer, const KernelContext& context, const Walk& walk, bool reduces,
                                     const LineAction& begin, const Visit& visit, const LineAction& end) {
  if (walk.kind == WalkKind::strips) return emit_row_strips(writer, context, reduces, begin, visit, end);
  const bool by_group = walk.kind == WalkKind::group_lines, columns = walk.reduced == Axis::rows;
  const Size &lines = columns ? context.kernel.cols : context.kernel.rows,
             &length = columns ? context.kernel.rows : context.kernel.cols;
  const std::string line = columns ? "j" : "i", along = columns ? "i" : "j";
  const std::string first = by_group ? "int(gl_WorkGroupID.x)" : "int(gl_GlobalInvocationID.x)";
  writer.open(loop(line, first, writer.size(lines), by_group ? "int(gl_NumWorkGroups.x)" : stride(writer)));
  begin(line);
  writer.open(loop(along, by_group ? lane(writer) : "0", writer.size(length),
                   by_group ? std::to_string(writer.options().workgroup) : "1"));
  visit({}, {});
  writer.close();
  end(line);
  writer.close();
  return {groups_for(context, lines, by_group ? 1 : writer.options().workgroup, reduces), {}, {}};
}

}  // namespace lac::codegen::glsl
