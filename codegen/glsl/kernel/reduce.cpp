#include "codegen/glsl/kernel/reduce.h"

#include <bit>

#include "codegen/glsl/kernel/walk.h"

namespace lac::codegen::glsl {
namespace {

/// One array per type serves all trees of a shader: after a tree's last barrier nobody reads it.
std::string shared_array(StageWriter& writer, std::string_view type) {
  return writer.shared_array("tree_" + std::string(type), type, workgroup_size);
}

}  // namespace

std::uint32_t memory_bytes(Element element) {
  return element == Element::logical || element == Element::single ? 4 : 8;
}

Accumulator declare_accumulator(StageWriter& writer, ReduceOp op, Element element, std::string_view wanted,
                                bool with_position) {
  Accumulator accumulator{op, element, writer.local(wanted), {}};
  writer.line(std::string(register_type(element)) + " " + accumulator.value + " = " +
              literal_text(identity(op), element) + ";");
  if (!with_position) return accumulator;
  accumulator.position = writer.local(std::string(wanted) + "_position");
  writer.line("int " + accumulator.position + " = 0;");
  return accumulator;
}

// A candidate at position 0 stands for nothing but NaN.
void accumulate(StageWriter& writer, const Accumulator& a, const std::string& value, const std::string& position) {
  if (a.position.empty()) {
    writer.line(a.value + " = " + combine_text(a.op, a.element, a.value, value, writer.functions()) + ";");
    return;
  }
  const std::string better = a.op == ReduceOp::min ? " < " : " > ";
  const std::string is_nan =
      apply_text(ScalarOp::is_nan, Element::logical, {{value, a.element}}, writer.options(), writer.functions());
  writer.open("if (" + position + " != 0 && !" + is_nan + " && (" + a.position + " == 0 || " + value + better +
              a.value + " || (" + value + " == " + a.value + " && " + position + " < " + a.position + ")))");
  writer.line(a.value + " = " + value + ";");
  writer.line(a.position + " = " + position + ";");
  writer.close();
}

void emit_workgroup_tree(StageWriter& writer, const Accumulator& a, std::uint32_t results) {
  const std::string lane_name = lane(writer);
  const std::string values = shared_array(writer, register_type(a.element));
  const std::string positions = a.position.empty() ? "" : shared_array(writer, "int");
  writer.line(values + "[" + lane_name + "] = " + a.value + ";");
  if (!positions.empty()) writer.line(positions + "[" + lane_name + "] = " + a.position + ";");
  writer.line("barrier();");
  const std::string width = writer.local("width"), other = "[" + lane_name + " + " + width + "]";
  writer.open_loop("for (int " + width + " = " + std::to_string(workgroup_size / 2) + "; " + width +
                       " >= " + std::to_string(results) + "; " + width + " >>= 1)",
                   TurnCount::constant(std::bit_width(workgroup_size / results) - 1));
  writer.open("if (" + lane_name + " < " + width + ")");
  accumulate(writer, a, values + other, positions.empty() ? "" : positions + other);
  writer.line(values + "[" + lane_name + "] = " + a.value + ";");
  if (!positions.empty()) writer.line(positions + "[" + lane_name + "] = " + a.position + ";");
  writer.close();
  writer.line("barrier();");
  writer.close();
}

}  // namespace lac::codegen::glsl
