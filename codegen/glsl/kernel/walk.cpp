#include "codegen/glsl/kernel/walk.h"

#include <algorithm>

#include "codegen/glsl/kernel/tiles.h"

namespace lac::codegen::glsl {
namespace {

GroupCount groups_for(const KernelContext& context, const Size& elements, std::int64_t per_group, bool reduces) {
  const std::int64_t most = reduces ? context.options.max_groups : most_groups;
  return {.elements = elements, .per_group = per_group, .least = reduces ? 1 : 0, .most = most};
}

std::string stride() { return "int(gl_NumWorkGroups.x) * " + std::to_string(workgroup_size); }

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

/// Points that an invocation takes in a turn of a walk that reduces, so that their loads are on their way together. The
/// more a point loads the fewer: nine vectors of 2^24 elements took an H100 490 us in one place at a time, 234 in two
/// and 1030 in four, and in processes that are slow there for a reason that nobody knows 800, 590 to 740 and 1670
/// (bench/RESULTS.md).
std::int64_t points_of_turn(const Kernel& kernel) {
  const auto loads = std::ranges::count_if(kernel.body, [](const Instr& instr) {
    return instr.kind == InstrKind::load && instr.map != AccessMap::scalar();
  });
  return loads <= 5 ? 4 : 2;
}

}  // namespace

GroupWalk walk_of(const KernelContext& context) {
  const GroupWalk walk = context.kernel.schedule.groups.walk;
  return walk == GroupWalk::contraction && context.parts >= 0 ? GroupWalk::points : walk;
}

std::string rounded_share(const std::string& total, const std::string& shares, const std::string& step) {
  return "(" + total + " / " + shares + " + (" + total + " % " + shares + " != 0 ? 1 : 0) + " + step + " - 1) / " +
         step + " * " + step;
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
  if (walk_of(context) == GroupWalk::tiles) return emit_point_tiles(writer, context, reduces, visit);
  const Size count = context.kernel.rows * context.kernel.cols;
  const std::string name = context.kernel.cols.is(1) ? "i" : context.kernel.rows.is(1) ? "j" : "e";
  const auto per_group = static_cast<std::int64_t>(workgroup_size);
  if (count.is(1)) {
    // One point: no loop, and one invocation does it.
    writer.open("if (gl_GlobalInvocationID.x == 0u)");
    visit({.i = "0", .j = "0", .flat = "0"}, {});
  } else if (reduces) {
    const std::int64_t turns = points_of_turn(context.kernel);
    const std::string points = std::to_string(turns);
    writer.head("const int stride = " + stride() + ";");
    writer.open_loop(loop("base", "int(gl_GlobalInvocationID.x)", writer.size(count), points + " * stride"),
                     TurnCount::strided(count, turns * per_group));
    writer.open_loop("for (int turn = 0; turn < " + points + "; ++turn)", TurnCount::constant(turns));
    writer.line("const int " + name + " = base + turn * stride;");
    writer.open("if (" + name + " < " + writer.size(count) + ")");
    visit(point_at(writer, context, name), {});
    writer.close();
    writer.close();
  } else {
    writer.open_loop(loop(name, "int(gl_GlobalInvocationID.x)", writer.size(count), stride()),
                     TurnCount::strided(count, per_group));
    visit(point_at(writer, context, name), {});
  }
  writer.close();
  return {groups_for(context, count, workgroup_size, reduces), {}, {}};
}

const Size& line_length(const KernelContext& context) {
  return context.kernel.schedule.groups.reduced == Axis::rows ? context.kernel.rows : context.kernel.cols;
}
const Size& line_count(const KernelContext& context) {
  return context.kernel.schedule.groups.reduced == Axis::rows ? context.kernel.cols : context.kernel.rows;
}

bool splits_lines(const KernelContext& context) {
  const GroupWalk walk = context.kernel.schedule.groups.walk;
  return context.options.split && (walk == GroupWalk::group_lines || walk == GroupWalk::strips);
}

namespace {

class LineWalk {
 public:
  LineWalk(StageWriter& writer, const KernelContext& context)
      : writer_(writer), context_(context), length_(line_length(context)), split_(splits_lines(context)) {}

  /// The groups along y: parts of lines, each of some turns of `lanes` invocations side by side.
  GroupCount parts(std::int64_t lanes) const {
    if (!split_) return {};
    return {.elements = length_, .per_group = least_turns_of_part * lanes, .least = 1, .filling = busy_groups};
  }

  /// The loop along a line, `lanes` invocations side by side.
  void open_line(const std::string& along, const std::string& first, std::int64_t lanes) {
    const std::string length = writer_.size(length_), step = std::to_string(lanes);
    if (!split_) return writer_.open_loop(loop(along, first, length, step), TurnCount::over(length_, lanes));
    writer_.head_once("const int part_points = " + rounded_share(length, "int(gl_NumWorkGroups.y)", step) + ";");
    writer_.head_once("const int part_begin = min(int(gl_WorkGroupID.y) * part_points, " + length +
                      "), part_end = part_begin + min(part_points, " + length + " - part_begin);");
    writer_.open_loop(loop(along, "part_begin + " + first, "part_end", step), TurnCount::strided(length_, lanes, 1));
  }

 private:
  StageWriter& writer_;
  const KernelContext& context_;
  const Size& length_;
  bool split_;
};

// Neighbouring lanes have neighbouring rows, which lie next to one another; the slices of a row share out its columns.
std::array<GroupCount, 3> emit_row_strips(StageWriter& writer, const KernelContext& context, bool reduces,
                                          const LineAction& begin, const Visit& visit, const LineAction& end) {
  const std::string side = std::to_string(strip_rows);
  const std::int64_t slices = workgroup_size / strip_rows;
  const std::string rows = writer.size(context.kernel.rows);
  LineWalk lines(writer, context);
  writer.open_loop(loop("strip", "int(gl_WorkGroupID.x) * " + side, rows, "int(gl_NumWorkGroups.x) * " + side),
                   TurnCount::strided(context.kernel.rows, strip_rows));
  writer.line("const int i = strip + " + lane(writer) + " % " + side + ";");
  begin("i");
  writer.open("if (i < " + rows + ")");
  lines.open_line("j", lane(writer) + " / " + side, slices);
  visit({}, {});
  writer.close();
  writer.close();
  end("i");
  writer.close();
  return {groups_for(context, context.kernel.rows, strip_rows, reduces), lines.parts(slices), {}};
}

}  // namespace

std::array<GroupCount, 3> emit_lines(StageWriter& writer, const KernelContext& context, bool reduces,
                                     const LineAction& begin, const Visit& visit, const LineAction& end) {
  const GroupSchedule& schedule = context.kernel.schedule.groups;
  if (schedule.walk == GroupWalk::strips) return emit_row_strips(writer, context, reduces, begin, visit, end);
  const bool by_group = schedule.walk == GroupWalk::group_lines, columns = schedule.reduced == Axis::rows;
  const Size& lines = line_count(context);
  const std::string line = columns ? "j" : "i", along = columns ? "i" : "j";
  const std::string first = by_group ? "int(gl_WorkGroupID.x)" : "int(gl_GlobalInvocationID.x)";
  const std::int64_t per_group = by_group ? 1 : workgroup_size;
  LineWalk walker(writer, context);
  writer.open_loop(loop(line, first, writer.size(lines), by_group ? "int(gl_NumWorkGroups.x)" : stride()),
                   TurnCount::strided(lines, per_group));
  begin(line);
  walker.open_line(along, by_group ? lane(writer) : "0", by_group ? workgroup_size : 1);
  visit({}, {});
  writer.close();
  end(line);
  writer.close();
  return {groups_for(context, lines, per_group, reduces), walker.parts(workgroup_size), {}};
}

}  // namespace lac::codegen::glsl
