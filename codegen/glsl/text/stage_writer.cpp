#include "codegen/glsl/text/stage_writer.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>

#include "codegen/glsl/text/packed.h"
#include "codegen/glsl/text/stage_print.h"
#include "ir/support/result.h"

namespace lac::codegen::glsl {
namespace {

bool same(const ShaderParameter& a, const ShaderParameter& b) {
  return a.kind == b.kind && a.size == b.size && a.index == b.index && a.axis == b.axis && a.type == b.type;
}

/// Whether the text computes in double: a word that begins with double, dvec, dmat or names their packing.
bool mentions_double(const std::string& text) {
  for (std::string_view word : {"double", "dvec", "dmat", "packDouble2x32", "unpackDouble2x32"})
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      const char before = at == 0 ? ' ' : text[at - 1];
      if (!std::isalnum(static_cast<unsigned char>(before)) && before != '_') return true;
    }
  return false;
}

ParameterType parameter_type(Element element) {
  return element == Element::logical  ? ParameterType::int32
         : element == Element::single ? ParameterType::float32
                                      : ParameterType::float64;
}

}  // namespace

std::string_view glsl_type(ParameterType type) {
  static constexpr std::string_view names[] = {"int", "float", "double", "uvec2"};
  static_assert(std::size(names) == static_cast<int>(ParameterType::uint64) + 1);
  return names[static_cast<int>(type)];
}

std::string from_slot(const std::string& cell, Element element) {
  if (element == Element::logical) return cell + ".x != 0u";
  return element == Element::single ? "uintBitsToFloat(" + cell + ".x)" : "packDouble2x32(" + cell + ")";
}

std::string to_slot(const TypedText& value) {
  if (value.element == Element::logical) return "uvec2(uint(" + value.text + "), 0u)";
  if (value.element == Element::single) return "uvec2(floatBitsToUint(" + value.text + "), 0u)";
  return "unpackDouble2x32(" + value.text + ")";
}

std::string from_memory(const std::string& text, Element element) {
  return element == Element::logical ? "(" + text + " != 0u)" : text;
}

std::string to_memory(const std::string& text, Element element) {
  return element == Element::logical ? "uint(" + text + ")" : text;
}

std::string packed_element(StageWriter& writer, const std::string& texture, const std::string& index, Element element) {
  writer.declare("lac_packed", std::string(packed_functions));
  const std::string value = "lac_packed(" + texture + ", " + index + ")";
  return element == Element::logical ? "(" + value + " != 0.0)" : value;
}

std::string packed_double(StageWriter& writer, const std::string& values, const std::string& rest,
                          const std::string& index) {
  return whole_text(packed_element(writer, values, index, Element::single),
                    packed_element(writer, rest, index, Element::single));
}

std::string whole_text(const std::string& value, const std::string& rest) {
  return "(double(" + value + ") + double(" + rest + "))";
}

std::string rest_text(StageWriter& writer, const std::string& number) {
  writer.declare("lac_rest",
                 "float lac_rest(double number) {\n"
                 "  const float nearest = float(number);\n"
                 "  return isinf(nearest) || isnan(nearest) ? 0.0 : float(number - double(nearest));\n"
                 "}");
  return "lac_rest(" + number + ")";
}

StageWriter::StageWriter(const Graph& plan, const GlslOptions& options, std::string name, StageKind kind,
                         std::vector<std::string> comment)
    : plan_(plan), options_(options) {
  stage_.name = std::move(name);
  stage_.kind = kind;
  stage_.source.comment = std::move(comment);
  for (const char* own :
       {"i",      "j",          "k",           "e",          "lane",        "strip",   "stride",     "base",
        "turn",   "tree_bool",  "tree_int",    "tree_float", "tree_double", "q",       "part",       "first",
        "texels", "part_terms", "part_points", "part_begin", "part_end",    "scalars", "Parameters", "last_group"})
    names_.take(own);
}

void StageWriter::line(const std::string& text) {
  if (text.find("for (") != std::string::npos) throw InternalError("a loop whose turns nobody counts: " + text);
  if (const std::int64_t turns = library_turns(text); turns > 0) count({TurnCount::constant(turns)});
  put(text);
}

void StageWriter::put(const std::string& text) {
  text_.append(static_cast<std::size_t>(2 * depth_), ' ').append(text).append("\n");
}

void StageWriter::open(const std::string& head) {
  line(head + (head.empty() ? "{" : " {"));
  ++depth_;
}

void StageWriter::close() {
  --depth_;
  if (!open_loops_.empty() && open_loops_.back().first == depth_) open_loops_.pop_back();
  line("}");
}

/// Inside the loops that are open.
void StageWriter::count(LoopTurns turns) {
  LoopTurns around;
  for (const auto& [depth, loop] : open_loops_) around.push_back(loop);
  turns.insert(turns.begin(), around.begin(), around.end());
  stage_.loops.push_back(std::move(turns));
}

void StageWriter::open_loop(const std::string& head, TurnCount turns) {
  count({turns});
  put(head + " {");
  open_loops_.emplace_back(depth_++, std::move(turns));
}

void StageWriter::open_loop(const std::string& head, TurnCount turns, std::vector<LoopTurns> in_all) {
  for (LoopTurns& loop : in_all) stage_.loops.push_back(std::move(loop));
  put(head + " {");
  open_loops_.emplace_back(depth_++, std::move(turns));
}

void StageWriter::text_with_loops(const std::string& text, const std::vector<LoopTurns>& turns) {
  for (const LoopTurns& loop : turns) count(loop);
  put(text);
}

void StageWriter::head(const std::string& text) {
  if (head_ended_) return line(text);
  if (const std::int64_t turns = library_turns(text); turns > 0) stage_.loops.push_back({TurnCount::constant(turns)});
  head_ += "  " + text + "\n";
}

void StageWriter::head_once(const std::string& text) {
  if (head_.find("  " + text + "\n") == std::string::npos) head(text);
}

void StageWriter::define(ShaderDefinition definition) {
  std::vector<ShaderDefinition>& all = stage_.source.definitions;
  const auto known = std::ranges::find(all, definition.name, &ShaderDefinition::name);
  if (known == all.end()) all.push_back(std::move(definition));
  else if (known->text != definition.text) throw InternalError("a shader defines " + definition.name + " twice");
}

void StageWriter::declare(const std::string& name, const std::string& text) { define({name, text}); }

std::string StageWriter::shared_array(const std::string& name, std::string_view type, std::int64_t count) {
  define(glsl::shared_array(name, type, count));
  return reference(name);
}

Binding& StageWriter::bind(ResourceKind kind, std::uint32_t index, std::string_view type, std::string_view wanted) {
  for (Binding& known : stage_.bindings)
    if (known.kind == kind && known.index == index) return known;
  stage_.bindings.push_back({.number = static_cast<std::uint32_t>(stage_.bindings.size()),
                             .kind = kind,
                             .index = index,
                             .read = false,
                             .name = kind == ResourceKind::scalars ? "scalars" : names_.take(wanted),
                             .type = std::string(type)});
  return stage_.bindings.back();
}

std::string StageWriter::buffer(ResourceKind kind, std::uint32_t index, std::string_view memory_type,
                                std::string_view wanted, bool read, bool written) {
  Binding& binding = bind(kind, index, memory_type, wanted);
  binding.read |= read;
  binding.written |= written;
  return reference(binding.name);
}

std::string StageWriter::texture(ResourceKind kind, std::uint32_t index, std::string_view wanted) {
  bind(kind, index, "sampler2D", wanted).layout = Layout::texel;
  return buffer(kind, index, "sampler2D", wanted, true, false);
}

std::string StageWriter::image(ResourceKind kind, std::uint32_t index, std::string_view wanted) {
  bind(kind, index, "writeonly image2D", wanted).layout = Layout::texel;
  return buffer(kind, index, "writeonly image2D", wanted, false, true);
}

void StageWriter::target(std::uint32_t location, const std::string& name) {
  declare(name, "layout(location = " + std::to_string(location) + ") out vec4 " + name + ";");
}

std::string StageWriter::scalars(bool read, bool written) {
  return buffer(ResourceKind::scalars, 0, "uvec2", "scalars", read, written);
}

std::string StageWriter::size(const Size& size) {
  if (!size.is_constant()) return parameter({.kind = ParameterKind::size, .size = size, .name = plan_.text(size)});
  const std::int64_t number = size.constant();
  // No int: the run says so, if it gets there, where it fills the parameters.
  if (std::abs(number) > std::numeric_limits<std::int32_t>::max())
    return parameter({.kind = ParameterKind::size, .size = size, .name = "size_" + std::to_string(std::abs(number))});
  const std::string text = std::to_string(number);
  return number < 0 ? "(" + text + ")" : text;
}

TypedText StageWriter::size_value(const Size& size, Element element) {
  if (size.is_constant())
    return {literal_text(round_to(element, static_cast<double>(size.constant())), element), element};
  return {parameter({.kind = ParameterKind::size,
                     .size = size,
                     .type = parameter_type(element),
                     .name = plan_.text(size) + "_value"}),
          element};
}

std::string StageWriter::groups_of(std::uint32_t stage, std::int32_t axis) {
  const std::string name = (axis < 0 ? "groups_" : "groups_along_") + std::to_string(stage);
  return parameter({.kind = ParameterKind::groups, .index = stage, .axis = axis, .name = name});
}

std::string StageWriter::parameter(ShaderParameter wanted) {
  for (const ShaderParameter& known : stage_.parameters)
    if (same(known, wanted)) return reference(known.name);
  wanted.name = names_.take(wanted.name);
  stage_.parameters.push_back(wanted);
  return reference(wanted.name);
}

TypedText StageWriter::host_scalar(std::uint32_t input, Element as, std::string_view wanted) {
  const std::string name = parameter(
      {.kind = ParameterKind::scalar, .index = input, .type = parameter_type(as), .name = std::string(wanted)});
  return {as == Element::logical ? "(" + name + " != 0)" : name, as};
}

TypedText StageWriter::device_scalar(std::uint32_t input, Element element, std::string_view wanted) {
  const std::string slot =
      parameter({.kind = ParameterKind::scalar_input, .index = input, .name = std::string(wanted) + "_slot"});
  std::string& known = device_scalars_[slot];
  if (!known.empty()) return {known, element};
  known = names_.take(wanted);
  const std::string cell = scalars(true, false) + "[" + slot + "]";
  head("const " + std::string(register_type(element)) + " " + known + " = " + from_slot(cell, element) + ";");
  return {known, element};
}

void StageWriter::write_scalar(std::uint32_t output, Element element, const std::string& value,
                               std::string_view wanted) {
  const std::string slot =
      parameter({.kind = ParameterKind::scalar_output, .index = output, .name = std::string(wanted) + "_slot"});
  line(scalars(false, true) + "[" + slot + "] = " + to_slot({value, element}) + ";");
}

std::string StageWriter::arrivals() { return scalars(true, true) + "[" + std::to_string(arrivals_slot) + "].x"; }

ShaderStage StageWriter::finish(const std::array<GroupCount, 3>& groups) {
  return finish(groups, {workgroup_size, 1, 1});
}

ShaderStage StageWriter::finish(const std::array<GroupCount, 3>& groups,
                                const std::array<std::uint32_t, 3>& workgroup) {
  stage_.groups = groups;
  stage_.workgroup = workgroup;
  return finish();
}

ShaderStage StageWriter::finish_fragment() {
  stage_.type = ShaderType::fragment;
  return finish();
}

ShaderStage StageWriter::finish() {
  for (Binding& binding : stage_.bindings) {
    binding.aliased = aliased_.contains({binding.kind, binding.index});
    binding.coherent = coherent_.contains({binding.kind, binding.index});
  }
  lay_out_parameters(stage_);
  stage_.source.main = head_ + text_;
  stage_.float64 = mentions_double(print_code(stage_));
  stage_.glsl = print_stage(stage_);
  return std::move(stage_);
}

}  // namespace lac::codegen::glsl
