#include <algorithm>

#include "codegen/glsl/kernel/reduce.h"
#include "codegen/glsl/kernel/step.h"
#include "codegen/glsl/text/stage_writer.h"

namespace lac::codegen::glsl {
namespace {

/// Parts of a lane: many for the long lanes that vectors are, few where there may be many lanes. In the split variant
/// as many as the longest lane needs (turns.h).
constexpr std::int64_t parts_of_vector = 4096, parts_of_matrix = 32, parts_of_long = 65536;

/// Element p of lane l is at l * lane_stride + p * stride.
struct Walk {
  Size lanes, length, lane_stride, stride;
  std::int64_t parts = 0;
};

Walk walk_of(const Type& type, Axis axis, bool split) {
  Walk walk = axis == Axis::rows ? Walk{type.cols, type.rows, type.rows, 1} : Walk{type.rows, type.cols, 1, type.rows};
  walk.parts = split ? parts_of_long : walk.lanes.is(1) ? parts_of_vector : parts_of_matrix;
  return walk;
}

class Scan {
 public:
  Scan(const Graph& plan, OpId op, const GlslOptions& options)
      : plan_(plan),
        options_(options),
        op_(plan.ops[op]),
        name_("scan_" + std::to_string(op.index) + (options.split ? "_split" : "")),
        reduction_(attribute<Reduction>(op_)),
        from_(plan.type(op_.operands[0])),
        element_(plan.type(op_.results[0]).element),
        walk_(walk_of(from_, reduction_.axis, options.split)) {}

  KernelShaders run() {
    KernelShaders shaders;
    shaders.name = name_;
    shaders.scratch.push_back({walk_.lanes * walk_.parts, -1, memory_bytes(element_)});
    shaders.stages = {totals(), offsets(), scan()};
    shaders.splits = true;
    return shaders;
  }

 private:
  StageWriter writer(const char* suffix, StageKind kind) const {
    StageWriter out(plan_, options_, name_ + suffix, kind,
                    {"inclusive " + std::string(lac::name(reduction_.op)) + " scan"});
    for (const char* own : {"at", "chunk", "folded", "invocation", "n", "own", "p", "start", "state", "stop"})
      out.local(own);  // no array of the program's may have these names
    return out;
  }

  std::string named(ValueId value, const char* other) const {
    const std::string& source = plan_.values[value].name;
    return source.empty() ? other : source;
  }

  std::string operand(StageWriter& writer) const {
    if (taken_over(op_, 0) >= 0) writer.may_alias(ResourceKind::values, 0);
    return writer.buffer(ResourceKind::values, 0, memory_type(from_.element), named(op_.operands[0], "x"), true, false);
  }

  std::string befores(StageWriter& writer, bool read, bool written) const {
    return writer.buffer(ResourceKind::scratch, 0, memory_type(element_), "before", read, written);
  }

  std::string register_name() const { return std::string(register_type(element_)); }
  std::string identity_text() const { return literal_text(identity(reduction_.op), element_); }
  std::string step(StageWriter& writer, const std::string& state, const std::string& value) const {
    return combine_text(reduction_.op, element_, state, value, writer.functions());
  }

  /// Opens the loop over all parts of all lanes; neighbours are parts of neighbouring lanes.
  void open_parts(StageWriter& writer) const {
    const std::string lanes = writer.size(walk_.lanes), parts = std::to_string(walk_.parts);
    writer.open_loop("for (int e = int(gl_GlobalInvocationID.x); e < " + lanes + " * " + parts +
                         "; e += int(gl_NumWorkGroups.x * gl_WorkGroupSize.x))",
                     TurnCount::strided(walk_.lanes * walk_.parts, workgroup_size));
    const std::string length = writer.size(walk_.length);
    writer.line("const int lane = e % " + lanes + ", part = e / " + lanes + ";");
    writer.line("const int chunk = " + length + " / " + parts + " + (" + length + " % " + parts + " != 0 ? 1 : 0);");
    writer.line("const int start = min(part * chunk, " + length + ");");
    writer.line("const int stop = min(start + chunk, " + length + ");");
  }

  /// The loop over the elements of a part, which go into `state`.
  void open_elements(StageWriter& writer) const {
    const std::string x = operand(writer);
    writer.open_loop("for (int p = start; p < stop; ++p)", TurnCount::over(walk_.length, walk_.parts));
    writer.line("const int at = lane * " + writer.size(walk_.lane_stride) + " + p * " + writer.size(walk_.stride) +
                ";");
    const TypedText value = {from_memory(x + "[at]", from_.element), from_.element};
    writer.line("const " + register_name() + " own = " + convert_text(value, element_) + ";");
    writer.line("state = " + step(writer, "state", "own") + ";");
  }

  std::array<GroupCount, 3> part_groups() const {
    return {GroupCount{.elements = walk_.lanes * walk_.parts, .per_group = workgroup_size, .most = 16384}, {}, {}};
  }

  ShaderStage totals() const {
    StageWriter out = writer("_totals", StageKind::main);
    const std::string before = befores(out, false, true);
    open_parts(out);
    out.line(register_name() + " state = " + identity_text() + ";");
    open_elements(out);
    out.close();
    out.line(before + "[e] = " + to_memory("state", element_) + ";");
    out.close();
    return out.finish(part_groups());
  }

  /// Totals of parts become what comes before them: a workgroup per lane, a run of parts per invocation.
  ShaderStage offsets() const {
    StageWriter out = writer("_offsets", StageKind::combine);
    const std::string lanes = out.size(walk_.lanes), before = befores(out, true, true);
    const std::int64_t invocations = std::min<std::int64_t>(walk_.parts, workgroup_size);
    const std::string run = std::to_string((walk_.parts + invocations - 1) / invocations);
    const std::string parts = std::to_string(walk_.parts), width = std::to_string(invocations);
    const std::string type = register_name(), cell = before + "[part * " + lanes + " + lane]";
    const std::string loop = "for (int part = start; part < stop; ++part)";
    const TurnCount turns = TurnCount::constant((walk_.parts + invocations - 1) / invocations);
    const std::string folded = out.shared_array("folded", type, invocations);
    out.line("const int invocation = int(gl_LocalInvocationID.x);");
    out.line("const int start = min(invocation * " + run + ", " + parts + "), stop = min(start + " + run + ", " +
             parts + ");");
    out.open_loop("for (int lane = int(gl_WorkGroupID.x); lane < " + lanes + "; lane += int(gl_NumWorkGroups.x))",
                  TurnCount::strided(walk_.lanes, 1));
    out.line(type + " state = " + identity_text() + ";");
    out.text_with_loops(loop + " state = " + step(out, "state", from_memory(cell, element_)) + ";", {{turns}});
    out.line(folded + "[invocation] = state;");
    out.line("barrier();");
    out.open("if (invocation == 0)");
    out.line("state = " + identity_text() + ";");
    out.open_loop("for (int n = 0; n < " + width + "; ++n)", TurnCount::constant(invocations));
    out.line("const " + type + " own = " + folded + "[n];");
    out.line(folded + "[n] = state;");
    out.line("state = " + step(out, "state", "own") + ";");
    out.close();
    out.close();
    out.line("barrier();");
    out.line("state = " + folded + "[invocation];");
    out.open_loop(loop, turns);
    out.line("const " + type + " own = " + from_memory(cell, element_) + ";");
    out.line(cell + " = " + to_memory("state", element_) + ";");
    out.line("state = " + step(out, "state", "own") + ";");
    out.close();
    out.line("barrier();");
    out.close();
    const GroupCount groups = {.elements = walk_.lanes, .per_group = 1, .most = 16384};
    return out.finish({groups, {}, {}}, {static_cast<std::uint32_t>(invocations), 1, 1});
  }

  ShaderStage scan() const {
    StageWriter out = writer("_scan", StageKind::main);
    const std::string before = befores(out, true, false);
    if (taken_over(op_, 0) >= 0) out.may_alias(ResourceKind::output, 0);
    const std::string y =
        out.buffer(ResourceKind::output, 0, memory_type(element_), named(op_.results[0], "y"), false, true);
    open_parts(out);
    out.line(register_name() + " state = " + from_memory(before + "[e]", element_) + ";");
    open_elements(out);
    out.line(y + "[at] = " + to_memory("state", element_) + ";");
    out.close();
    out.close();
    return out.finish(part_groups());
  }

  const Graph& plan_;
  const GlslOptions& options_;
  const Op& op_;
  std::string name_;
  Reduction reduction_;
  Type from_;
  Element element_;
  Walk walk_;
};

}  // namespace

KernelShaders emit_scan(const Graph& plan, OpId op, const GlslOptions& options) {
  return Scan(plan, op, options).run();
}

}  // namespace lac::codegen::glsl
