#include "codegen/glsl/text/stage_print.h"

#include <algorithm>
#include <iterator>

#include "codegen/glsl/scalar/scalar_math.h"
#include "codegen/glsl/text/stage_writer.h"
#include "ir/support/result.h"

namespace lac::codegen::glsl {
namespace {

constexpr char mark = '@';

std::string number(std::uint64_t n) { return std::to_string(n); }

struct TypeBytes {
  std::string_view name;
  std::int64_t bytes;
};
constexpr TypeBytes type_bytes[] = {{"bool", 4},   {"uint", 4},  {"int", 4},   {"float", 4},
                                    {"double", 8}, {"uvec2", 8}, {"vec4", 16}, {"dvec4", 32}};

std::int64_t bytes_of(std::string_view type) {
  const auto known = std::ranges::find(type_bytes, type, &TypeBytes::name);
  if (known == std::end(type_bytes)) throw InternalError("a type of unknown size in a shader: " + std::string(type));
  return known->bytes;
}

bool has_address(const Binding& binding) { return binding.address_at >= 0; }

/// `restrict` says nothing about a type, which is all that there is of an array with an address.
std::string qualifiers(const Binding& binding, ShaderMemory memory) {
  if (memory == ShaderMemory::coherent) return binding.written ? "coherent " : "readonly ";
  if (binding.coherent) return "coherent ";
  if (binding.aliased) return {};
  const std::string access = !binding.written ? "readonly " : !binding.read ? "writeonly " : "";
  return memory == ShaderMemory::distinct && !has_address(binding) ? "restrict " + access : access;
}

/// "layout(set = 0, binding = 2" and whatever else there is to say of the place.
std::string place(const Binding& binding, std::string_view more) {
  return "layout(set = 0, binding = " + number(binding.number) + std::string(more) + ") ";
}

std::string array_block(const Binding& binding, ShaderMemory memory) {
  if (binding.layout == Layout::texel)
    return place(binding, binding.written ? ", rgba32f" : "") + "uniform " + binding.type + " " + binding.name + ";\n";
  const std::string head =
      has_address(binding)
          ? "layout(buffer_reference, std430, buffer_reference_align = " + number(bytes_of(binding.type)) + ") "
          : place(binding, ", std430");
  return head + qualifiers(binding, memory) + "buffer " + binding.name + "_buffer { " + binding.type + " " +
         (has_address(binding) ? "at" : binding.name) + "[]; };\n";
}

std::string parameter_block(const ShaderStage& stage) {
  std::string fields;
  for (const ShaderParameter& parameter : stage.parameters)
    fields += "  " + std::string(glsl_type(parameter.type)) + " " + parameter.name + ";\n";
  for (const Binding& binding : stage.bindings)
    if (has_address(binding)) fields += "  " + binding.name + "_buffer " + binding.name + ";\n";
  if (fields.empty()) return {};
  const auto block = std::ranges::find(stage.bindings, ResourceKind::parameters, &Binding::kind);
  const std::string head = block == stage.bindings.end() ? "layout(push_constant, std430) uniform"
                                                         : place(*block, ", std430") + "readonly buffer";
  return head + " Parameters {\n" + fields + "};\n";
}

std::string workgroup_text(const ShaderStage& stage) {
  return "layout(local_size_x = " + number(stage.workgroup[0]) + ", local_size_y = " + number(stage.workgroup[1]) +
         ", local_size_z = " + number(stage.workgroup[2]) + ") in;\n\n";
}

}  // namespace

std::string reference(std::string_view name) { return mark + std::string(name) + mark; }

std::string resolve(std::string_view text, const std::function<std::string(const std::string&)>& name_of) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find(mark, at);
    result += text.substr(at, begin - at);
    if (begin == std::string_view::npos) break;
    const std::size_t end = text.find(mark, begin + 1);
    if (end == std::string_view::npos) throw InternalError("a reference without an end: " + std::string(text));
    result += name_of(std::string(text.substr(begin + 1, end - begin - 1)));
    at = end + 1;
  }
  return result;
}

ShaderDefinition shared_array(const std::string& name, std::string_view type, std::int64_t count) {
  return {name, "shared " + std::string(type) + " " + reference(name) + "[" + std::to_string(count) + "];",
          count * bytes_of(type)};
}

void lay_out_parameters(ShaderStage& stage) {
  std::ranges::stable_sort(stage.parameters, std::ranges::greater(),
                           [](const ShaderParameter& parameter) { return byte_size(parameter.type); });
  stage.parameter_bytes = 0;
  for (ShaderParameter& parameter : stage.parameters) {
    parameter.offset = stage.parameter_bytes;
    stage.parameter_bytes += byte_size(parameter.type);
  }
  if (stage.parameter_bytes > push_constant_bytes) bind_parameters(stage);
}

void bind_parameters(ShaderStage& stage) {
  stage.parameters_in_buffer = true;
  stage.bindings.push_back({.number = static_cast<std::uint32_t>(stage.bindings.size()),
                            .kind = ResourceKind::parameters,
                            .name = "Parameters"});
}

std::string print_code(const ShaderStage& stage) {
  const ShaderSource& source = stage.source;
  std::set<std::string> addressed;
  std::string code = stage.type == ShaderType::compute ? workgroup_text(stage) : "";
  for (const Binding& binding : stage.bindings) {
    if (has_address(binding)) addressed.insert(binding.name);
    if (binding.kind != ResourceKind::parameters) code += array_block(binding, source.memory);
  }
  const auto print = [&](std::string_view text) {
    code += resolve(text, [&](const std::string& name) { return addressed.contains(name) ? name + ".at" : name; });
  };
  code += parameter_block(stage);
  for (const ShaderDefinition& definition : source.definitions) print(definition.text + "\n");
  code += "\n";
  if (const std::string library = library_text(source.library); !library.empty()) code += library + "\n";
  code += "void main() {\n";
  print(source.main);
  return code + "}\n";
}

std::string print_stage(const ShaderStage& stage) {
  std::string top = "#version 450\n";
  if (std::ranges::any_of(stage.bindings, has_address)) top += "#extension GL_EXT_buffer_reference : require\n";
  for (const std::string& line : stage.source.comment) top += "// " + line + "\n";
  return top + print_code(stage);
}

}  // namespace lac::codegen::glsl
