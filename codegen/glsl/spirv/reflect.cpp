#include "codegen/glsl/spirv/reflect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <spirv_cross/spirv_cross.hpp>

namespace lac::codegen::glsl {

namespace {

using Mismatch = std::optional<std::string>;

/// The block behind a variable, with the names, offsets and sizes of its members.
class Block {
 public:
  Block(const spirv_cross::Compiler& shader, const spirv_cross::Resource& resource)
      : shader_(shader), id_(resource.base_type_id), type_(shader.get_type(resource.base_type_id)) {}

  std::uint32_t members() const { return static_cast<std::uint32_t>(type_.member_types.size()); }
  std::string name(std::uint32_t member) const { return shader_.get_member_name(id_, member); }
  std::uint32_t offset(std::uint32_t member) const { return shader_.type_struct_member_offset(type_, member); }
  std::size_t size(std::uint32_t member) const { return shader_.get_declared_struct_member_size(type_, member); }

 private:
  const spirv_cross::Compiler& shader_;
  spirv_cross::TypeID id_;
  const spirv_cross::SPIRType& type_;
};

Mismatch differ(std::string_view what, const std::string& shader, const std::string& stage) {
  if (shader == stage) return {};
  return fmt::format("{}: the shader has {}, the stage says {}", what, shader, stage);
}

Mismatch check_parameters(const Block& block, const ShaderStage& stage) {
  std::vector<std::string> declared, stated;
  for (std::uint32_t i = 0; i < block.members(); ++i)
    declared.push_back(fmt::format("{} at {} of {} bytes", block.name(i), block.offset(i), block.size(i)));
  for (const ShaderParameter& parameter : stage.parameters)
    stated.push_back(fmt::format("{} at {} of {} bytes", parameter.name, parameter.offset, byte_size(parameter.type)));
  for (const Binding& binding : stage.bindings)
    if (binding.address_at >= 0) stated.push_back(fmt::format("{} at {} of 8 bytes", binding.name, binding.address_at));
  if (auto found = differ("parameters", fmt::format("{}", declared), fmt::format("{}", stated))) return found;
  std::uint32_t end = 0;
  for (const ShaderParameter& parameter : stage.parameters)
    end = std::max(end, parameter.offset + byte_size(parameter.type));
  return differ("bytes of parameters", std::to_string(end), std::to_string(stage.parameter_bytes));
}

/// "buffer x" or "image x" of every binding, by number.
using Declared = std::map<std::uint32_t, std::string>;

Mismatch check_buffer(const spirv_cross::Compiler& shader, const spirv_cross::Resource& resource,
                      const ShaderStage& stage, Declared& declared) {
  const std::uint32_t set = shader.get_decoration(resource.id, spv::DecorationDescriptorSet);
  const std::uint32_t number = shader.get_decoration(resource.id, spv::DecorationBinding);
  const Block block(shader, resource);
  const auto stated = std::find_if(stage.bindings.begin(), stage.bindings.end(),
                                   [&](const Binding& binding) { return binding.number == number; });
  if (set != 0) return fmt::format("binding {} is in set {}", number, set);
  if (stated != stage.bindings.end() && stated->kind == ResourceKind::parameters) {
    declared[number] = "buffer " + stated->name;
    return check_parameters(block, stage);
  }
  declared[number] = "buffer " + block.name(0);
  const bool read_only = shader.get_buffer_block_flags(resource.id).get(spv::DecorationNonWritable);
  if (stated != stage.bindings.end() && stated->written && read_only)
    return fmt::format("binding {} is read-only in the shader and written by the stage", number);
  return {};
}

Mismatch check_bindings(const spirv_cross::Compiler& shader, const spirv_cross::ShaderResources& resources,
                        const ShaderStage& stage) {
  Declared declared, stated;
  for (const auto& buffer : resources.storage_buffers)
    if (auto found = check_buffer(shader, buffer, stage, declared)) return found;
  for (const auto* images : {&resources.storage_images, &resources.sampled_images, &resources.separate_images})
    for (const auto& image : *images)
      declared[shader.get_decoration(image.id, spv::DecorationBinding)] = "image " + image.name;
  std::size_t descriptors = 0;
  for (const Binding& binding : stage.bindings) {
    if (binding.address_at >= 0) continue;
    stated[binding.number] = (binding.layout == Layout::texel ? "image " : "buffer ") + binding.name;
    ++descriptors;
  }
  if (stated.size() != descriptors) return "two bindings of the stage have one number";
  return differ("bindings", fmt::format("{}", declared), fmt::format("{}", stated));
}

Mismatch check_workgroup(const spirv_cross::Compiler& shader, const ShaderStage& stage) {
  std::array<std::uint32_t, 3> declared = {};
  for (std::uint32_t axis = 0; axis < 3; ++axis)
    declared[axis] = shader.get_execution_mode_argument(spv::ExecutionModeLocalSize, axis);
  return differ("workgroup", fmt::format("{}", declared), fmt::format("{}", stage.workgroup));
}

}  // namespace

std::optional<std::string> find_mismatch(const ShaderStage& stage) {
  const spirv_cross::Compiler shader(stage.spirv);
  const spirv_cross::ShaderResources resources = shader.get_shader_resources();
  if (auto found = check_bindings(shader, resources, stage)) return found;
  const bool pushes = !resources.push_constant_buffers.empty();
  if (pushes != (block_bytes(stage) > 0 && !stage.parameters_in_buffer))
    return pushes ? "the shader has push constants, the stage states none"
                  : "the stage states push constants, the shader has none";
  if (pushes) {
    if (auto found = check_parameters(Block(shader, resources.push_constant_buffers[0]), stage)) return found;
  }
  const auto& capabilities = shader.get_declared_capabilities();
  const bool doubles =
      std::find(capabilities.begin(), capabilities.end(), spv::CapabilityFloat64) != capabilities.end();
  if (doubles && !stage.float64) return "the shader needs float64, the stage says that it does not";
  return stage.type == ShaderType::compute ? check_workgroup(shader, stage) : std::nullopt;
}

}  // namespace lac::codegen::glsl
