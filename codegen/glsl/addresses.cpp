#include "codegen/glsl/addresses.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "codegen/glsl/spirv.h"
#include "codegen/glsl/stage_text.h"
#include "ir/support/result.h"

namespace lac::codegen::glsl {
namespace {

bool is_array(const Binding& binding) {
  return binding.layout == Layout::buffer && binding.kind != ResourceKind::parameters;
}

std::string number(std::uint64_t n) { return std::to_string(n); }

/// "layout(set = 0, binding = 2, std430) restrict readonly buffer x_buffer { float x[]; };" becomes a type: what x was
/// is the member `at` of a reference of the name x.
std::string reference_type(std::string line, const std::string& name, const std::string& memory_type) {
  const bool wide = memory_type == "double" || memory_type == "uvec2";
  line.replace(0, line.find(')') + 1,
               std::string("layout(buffer_reference, std430, buffer_reference_align = ") + (wide ? "8" : "4") + ")");
  const std::string_view restricted = "restrict ";  // says nothing about a type
  if (const std::size_t at = line.find(restricted); at != std::string::npos) line.erase(at, restricted.size());
  const std::size_t member = line.find(" " + name + "[]");
  if (member == std::string::npos) throw InternalError("the array of a binding is not in its block: " + line);
  return line.replace(member + 1, name.size(), "at");
}

/// The stage's text, line by line.
class AddressWriter {
 public:
  explicit AddressWriter(ShaderStage stage) : stage_(std::move(stage)), parts_(take_apart(stage_)) {
    for (const Binding& binding : stage_.bindings)
      if (is_array(binding)) arrays_.insert(binding.name);
  }

  ShaderStage run() {
    place_addresses();
    const std::size_t main = stage_.glsl.find("void main() {\n");
    std::string text;
    for (std::size_t at = 0; at < main;) {
      const std::size_t end = stage_.glsl.find('\n', at);
      line(stage_.glsl.substr(at, end - at), text);
      at = end + 1;
    }
    if (block_) throw InternalError("the parameters of shader " + stage_.name + " do not end");
    if (!has_block_) text += block_head() + addresses() + "};\n\n";
    text += rename_identifiers(std::string_view(stage_.glsl).substr(main),
                               [&](const std::string& name) { return arrays_.contains(name) ? name + ".at" : name; });
    stage_.glsl = std::move(text);
    stage_.name += "_by_address";
    return std::move(stage_);
  }

 private:
  /// Behind the parameters, which stay where they are; the whole may be too much to be pushed.
  void place_addresses() {
    std::uint32_t offset = (stage_.parameter_bytes + 7) / 8 * 8;
    for (Binding& binding : stage_.bindings) {
      if (!is_array(binding)) continue;
      binding.address_at = static_cast<std::int32_t>(offset);
      offset += 8;
    }
    if (stage_.parameters_in_buffer || offset <= push_constant_bytes) return;
    stage_.parameters_in_buffer = true;
    Binding block;
    for (const Binding& binding : stage_.bindings) block.number = std::max(block.number, binding.number + 1);
    block.kind = ResourceKind::parameters;
    block.name = "Parameters";
    stage_.bindings.push_back(std::move(block));
  }

  std::string block_head() const {
    if (!stage_.parameters_in_buffer) return "layout(push_constant, std430) uniform Parameters {\n";
    const auto block = std::ranges::find(stage_.bindings, ResourceKind::parameters, &Binding::kind);
    return "layout(set = 0, binding = " + number(block->number) + ", std430) readonly buffer Parameters {\n";
  }

  std::string addresses() const {
    std::string text;
    for (const Binding& binding : stage_.bindings)
      if (binding.address_at >= 0) text += "  " + binding.name + "_buffer " + binding.name + ";\n";
    return text;
  }

  void line(const std::string& line, std::string& text) {
    if (line.starts_with("#version")) {
      text += line + "\n#extension GL_EXT_buffer_reference : require\n";
    } else if (line.ends_with(" Parameters {")) {
      block_ = has_block_ = true;
      text += block_head();
    } else if (block_ && line == "};") {
      block_ = false;
      text += addresses() + "};\n";
    } else if (const std::string* name = array_of(line)) {
      text += reference_type(line, *name, parts_.memory_types.at(*name)) + "\n";
    } else {
      text += line + "\n";
    }
  }

  /// The array that the line binds; null: none.
  const std::string* array_of(const std::string& line) const {
    if (!line.starts_with("layout(set")) return nullptr;
    for (const std::string& name : arrays_)
      if (line.find(" buffer " + name + "_buffer {") != std::string::npos) return &name;
    return nullptr;
  }

  ShaderStage stage_;
  StageText parts_;
  std::set<std::string> arrays_;
  bool block_ = false;      ///< in the block of parameters
  bool has_block_ = false;  ///< there was one
};

}  // namespace

ShaderStage by_address(const ShaderStage& stage) {
  ShaderStage result = stage;
  result.spirv.clear();
  return AddressWriter(std::move(result)).run();
}

const ShaderStage& AddressedStages::of(const ShaderStage& stage) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<const ShaderStage>& known = stages_[&stage];
  if (!known) {
    ShaderStage made = by_address(stage);
    if (const auto compiled = compile_stage(made, options_); !compiled) throw InternalError(compiled.failure().message);
    known = std::make_unique<const ShaderStage>(std::move(made));
  }
  return *known;
}

}  // namespace lac::codegen::glsl
