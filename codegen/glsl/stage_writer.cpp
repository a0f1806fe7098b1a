#include "codegen/glsl/stage_writer.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>

#include "ir/support/result.h"

namespace lac::codegen::glsl {
namespace {

bool same(const ShaderParameter& a, const ShaderParameter& b) {
  return a.kind == b.kind && a.size == b.size && a.index == b.index && a.type == b.type;
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
  writer.declare(
      "float lac_packed(sampler2D values, int e) {\n"
      "  const int texel = e >> 2;\n"
      "  return texelFetch(values, ivec2(texel & 1023, texel >> 10), 0)[e & 3];\n"
      "}");
  const std::string value = "lac_packed(" + texture + ", " + index + ")";
  return element == Element::logical ? "(" + value + " != 0.0)" : value;
}

StageWriter::StageWriter(const Graph& plan, const GlslOptions& options, std::string name, StageKind kind,
                         std::vector<std::string> comment)
    : plan_(plan), options_(options), comment_(std::move(comment)) {
  stage_.name = std::move(name);
  stage_.kind = kind;
  for (const char* own :
       {"i",        "j",          "k",           "e", "lane", "strip", "stride", "base",      "turn",    "tree_bool",
        "tree_int", "tree_float", "tree_double", "q", "part", "first", "texels", "line_part", "scalars", "Parameters"})
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
  if (const std::int64_t turns = library_turns(text); turns > 0) stage_.loops.push_back({TurnCount::constant(turns)});
  head_ += "  " + text + "\n";
}

void StageWriter::head_once(const std::string& text) {
  if (head_.find("  " + text + "\n") == std::string::npos) head(text);
}

void StageWriter::declare(const std::string& text) {
  if (declarations_.find(text + "\n") == std::string::npos) declarations_ += text + "\n";
}

std::string StageWriter::buffer(ResourceKind kind, std::uint32_t index, std::string_view memory_type,
                                std::string_view wanted, bool read, bool written) {
  for (Array& array : arrays_) {
    Binding& binding = array.binding;
    if (binding.kind != kind || binding.index != index) continue;
    binding.read |= read;
    binding.written |= written;
    return binding.name;
  }
  Binding binding;
  binding.number = static_cast<std::uint32_t>(arrays_.size());
  binding.kind = kind;
  binding.index = index;
  binding.read = read;
  binding.written = written;
  binding.name = kind == ResourceKind::scalars ? "scalars" : names_.take(wanted);
  arrays_.push_back({binding, std::string(memory_type)});
  return binding.name;
}

std::string StageWriter::texture(ResourceKind kind, std::uint32_t index, std::string_view wanted) {
  const std::string name = buffer(kind, index, "sampler2D", wanted, true, false);
  for (Array& array : arrays_)
    if (array.binding.name == name) array.binding.layout = Layout::texel;
  return name;
}

std::string StageWriter::image(ResourceKind kind, std::uint32_t index, std::string_view wanted) {
  const std::string name = buffer(kind, index, "writeonly image2D", wanted, false, true);
  for (Array& array : arrays_)
    if (array.binding.name == name) array.binding.layout = Layout::texel;
  return name;
}

void StageWriter::target(std::uint32_t location, const std::string& name) {
  declare("layout(location = " + std::to_string(location) + ") out vec4 " + name + ";");
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

std::string StageWriter::groups_of(std::uint32_t stage) {
  return parameter({.kind = ParameterKind::groups, .index = stage, .name = "groups_" + std::to_string(stage)});
}

std::string StageWriter::parameter(ShaderParameter wanted) {
  for (const ShaderParameter& known : stage_.parameters)
    if (same(known, wanted)) return known.name;
  wanted.name = names_.take(wanted.name);
  stage_.parameters.push_back(wanted);
  return wanted.name;
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

// 8-byte parameters first, so that none needs padding.
void StageWriter::lay_out_parameters() {
  std::vector<ShaderParameter>& all = stage_.parameters;
  std::stable_sort(all.begin(), all.end(), [](const ShaderParameter& a, const ShaderParameter& b) {
    return byte_size(a.type) > byte_size(b.type);
  });
  std::uint32_t offset = 0;
  for (ShaderParameter& parameter : all) {
    parameter.offset = offset;
    offset += byte_size(parameter.type);
  }
  stage_.parameter_bytes = offset;
  stage_.parameters_in_buffer = offset > push_constant_bytes;
}

std::string StageWriter::parameter_block() const {
  if (stage_.parameters.empty()) return {};
  std::string block = "layout(push_constant, std430) uniform Parameters {\n";
  if (stage_.parameters_in_buffer)
    block = "layout(set = 0, binding = " + std::to_string(stage_.bindings.back().number) +
            ", std430) readonly buffer Parameters {\n";
  for (const ShaderParameter& parameter : stage_.parameters)
    block += "  " + std::string(glsl_type(parameter.type)) + " " + parameter.name + ";\n";
  return block + "};\n";
}

std::string StageWriter::array_block(const Array& array) const {
  const Binding& binding = array.binding;
  const std::string place = "layout(set = 0, binding = " + std::to_string(binding.number);
  if (binding.layout == Layout::texel)
    return place + (binding.written ? ", rgba32f" : "") + ") uniform " + array.memory_type + " " + binding.name + ";\n";
  const bool shared = aliased_.contains({binding.kind, binding.index});
  std::string access = shared ? "" : !binding.written ? "readonly " : !binding.read ? "writeonly " : "";
  if (!shared && distinct_) access = "restrict " + access;
  return place + ", std430) " + access + "buffer " + binding.name + "_buffer { " + array.memory_type + " " +
         binding.name + "[]; };\n";
}

ShaderStage StageWriter::finish(const std::array<GroupCount, 3>& groups) {
  return finish(groups, {options_.workgroup, 1, 1});
}

ShaderStage StageWriter::finish(const std::array<GroupCount, 3>& groups,
                                const std::array<std::uint32_t, 3>& workgroup) {
  stage_.groups = groups;
  stage_.workgroup = workgroup;
  return finish_text("layout(local_size_x = " + std::to_string(workgroup[0]) + ", local_size_y = " +
                     std::to_string(workgroup[1]) + ", local_size_z = " + std::to_string(workgroup[2]) + ") in;\n\n");
}

ShaderStage StageWriter::finish_fragment() {
  stage_.type = ShaderType::fragment;
  return finish_text("");
}

ShaderStage StageWriter::finish_text(const std::string& inputs) {
  lay_out_parameters();
  for (const Array& array : arrays_) stage_.bindings.push_back(array.binding);
  if (stage_.parameters_in_buffer) {
    Binding binding;
    binding.number = static_cast<std::uint32_t>(arrays_.size());
    binding.kind = ResourceKind::parameters;
    binding.name = "Parameters";
    stage_.bindings.push_back(binding);
  }
  std::string code = inputs;
  for (const Array& array : arrays_) code += array_block(array);
  code += parameter_block() + declarations_ + "\n";
  const std::string library = library_text(functions_);
  if (!library.empty()) code += library + "\n";
  code += "void main() {\n" + head_ + text_ + "}\n";
  stage_.float64 = mentions_double(code);
  std::string top = "#version 450\n";
  for (const std::string& comment : comment_) top += "// " + comment + "\n";
  stage_.glsl = top + code;
  return std::move(stage_);
}

}  // namespace lac::codegen::glsl
