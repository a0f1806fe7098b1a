#include "runtime/vulkan/stream/pipeline.h"

#include <algorithm>
#include <string>

#include "runtime/vulkan/device/device_state.h"
#include "runtime/vulkan/device/float_controls.h"
#include "runtime/vulkan/stream/pipeline_state.h"

namespace lac::runtime::vulkan {
namespace {

bool has_descriptor(const Binding& binding) { return binding.address_at < 0; }

[[noreturn]] void over_limit(const ShaderStage& stage, const std::string& what, std::uint64_t has, std::uint64_t most) {
  throw DeviceError(DeviceErrorKind::limit, "shader " + stage.name + ": " + std::to_string(has) + " " + what +
                                                " pass the device's " + std::to_string(most));
}

void check_limits(const DeviceInfo& info, const ShaderStage& stage) {
  const DeviceLimits& limits = info.limits;
  if (stage.float64 && !info.float64) {
    throw DeviceError(DeviceErrorKind::unsupported,
                      "shader " + stage.name + " computes in double precision (shaderFloat64), which the device " +
                          info.name + " has not");
  }
  const std::uint64_t invocations = std::uint64_t{stage.workgroup[0]} * stage.workgroup[1] * stage.workgroup[2];
  if (invocations > limits.group_invocations) {
    over_limit(stage, "invocations of a workgroup", invocations, limits.group_invocations);
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (stage.workgroup[axis] <= limits.group_size[axis]) continue;
    over_limit(stage, "invocations along an axis", stage.workgroup[axis], limits.group_size[axis]);
  }
  const auto descriptors = static_cast<std::uint64_t>(std::ranges::count_if(stage.bindings, has_descriptor));
  if (descriptors > limits.storage_buffers) over_limit(stage, "bindings", descriptors, limits.storage_buffers);
  if (!stage.parameters_in_buffer && block_bytes(stage) > limits.push_constant_bytes) {
    over_limit(stage, "bytes of push constants", block_bytes(stage), limits.push_constant_bytes);
  }
  if (descriptors < stage.bindings.size() && !info.buffer_addresses) {
    throw DeviceError(DeviceErrorKind::unsupported, "shader " + stage.name +
                                                        " reaches buffers by their addresses (bufferDeviceAddress), "
                                                        "which the device " +
                                                        info.name + " has not");
  }
}

VkDescriptorSetLayout make_set_layout(DeviceState& device, const ShaderStage& stage, VkShaderStageFlags stages) {
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  for (const Binding& binding : stage.bindings) {
    if (has_descriptor(binding)) bindings.push_back({binding.number, descriptor_type(binding), 1, stages, nullptr});
  }
  auto create = vulkan_struct<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
  create.bindingCount = static_cast<std::uint32_t>(bindings.size());
  create.pBindings = bindings.data();
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  device.check(device.vk().vkCreateDescriptorSetLayout(device.device(), &create, nullptr, &layout),
               "vkCreateDescriptorSetLayout");
  return layout;
}

VkPipelineLayout make_layout(DeviceState& device, const ShaderStage& stage, VkShaderStageFlags stages,
                             VkDescriptorSetLayout set_layout) {
  const VkPushConstantRange range = {stages, 0, block_bytes(stage)};
  const bool pushes = !stage.parameters_in_buffer && range.size > 0;
  auto create = vulkan_struct<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
  create.setLayoutCount = 1;
  create.pSetLayouts = &set_layout;
  create.pushConstantRangeCount = pushes ? 1 : 0;
  create.pPushConstantRanges = &range;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  device.check(device.vk().vkCreatePipelineLayout(device.device(), &create, nullptr, &layout),
               "vkCreatePipelineLayout");
  return layout;
}

VkPipeline make_pipeline(DeviceState& device, const ShaderStage& stage, VkPipelineLayout layout) {
  const VkShaderModule module = make_module(device, stage);
  auto compute = vulkan_struct<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  compute.stage = vulkan_struct<VkPipelineShaderStageCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
  compute.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  compute.stage.module = module;
  compute.stage.pName = "main";
  compute.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result =
      device.vk().vkCreateComputePipelines(device.device(), device.cache->handle(), 1, &compute, nullptr, &pipeline);
  device.vk().vkDestroyShaderModule(device.device(), module, nullptr);
  device.check(result, "vkCreateComputePipelines");
  device.cache->note_new_pipeline();
  return pipeline;
}

void destroy(PipelineState& state) {
  DeviceState& device = state.device;
  device.vk().vkDestroyPipeline(device.device(), state.pipeline, nullptr);
  device.vk().vkDestroyPipelineLayout(device.device(), state.layout, nullptr);
  device.vk().vkDestroyDescriptorSetLayout(device.device(), state.set_layout, nullptr);
}

/// What both shaders see: one of them may have parameters.
ShaderStage interface_of(const ShaderStage& vertex, const ShaderStage& fragment) {
  ShaderStage interface = vertex.parameter_bytes > 0 ? vertex : fragment;
  interface.name = fragment.name;
  interface.bindings = vertex.bindings;
  interface.bindings.insert(interface.bindings.end(), fragment.bindings.begin(), fragment.bindings.end());
  return interface;
}

PipelineKey key_of(const ShaderStage& stage) {
  PipelineKey key = {stage.parameter_bytes, stage.parameters_in_buffer ? 1u : 0u,
                     static_cast<std::uint32_t>(stage.bindings.size())};
  for (const Binding& binding : stage.bindings) {
    key.push_back(binding.number);
    key.push_back(static_cast<std::uint32_t>(descriptor_type(binding)));
    key.push_back(static_cast<std::uint32_t>(binding.address_at));
    key.push_back((binding.kind == ResourceKind::parameters ? 4u : 0u) | (binding.read ? 2u : 0u) |
                  (binding.written ? 1u : 0u));
  }
  key.insert(key.end(), stage.spirv.begin(), stage.spirv.end());
  return key;
}

}  // namespace

VkShaderModule make_module(DeviceState& device, const ShaderStage& stage) {
  const std::vector<std::uint32_t> spirv =
      preserving_nan(stage.spirv, device.info.preserves_nan32, stage.float64 && device.info.preserves_nan64);
  auto create = vulkan_struct<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  create.codeSize = spirv.size() * sizeof(std::uint32_t);
  create.pCode = spirv.data();
  VkShaderModule module = VK_NULL_HANDLE;
  device.check(device.vk().vkCreateShaderModule(device.device(), &create, nullptr, &module), "vkCreateShaderModule");
  return module;
}

std::size_t PipelineKeyHash::operator()(const PipelineKey& key) const noexcept {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::uint32_t word : key) hash = (hash ^ word) * 0x100000001b3u;
  return hash;
}

VkDescriptorType descriptor_type(const Binding& binding) {
  if (binding.layout == Layout::buffer) return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  return binding.written ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE : VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

Pipeline::Pipeline(DeviceState& device, const ShaderStage& stage)
    : bindings_(stage.bindings),
      parameter_bytes_(stage.parameter_bytes),
      block_bytes_(lac::block_bytes(stage)),
      parameters_in_buffer_(stage.parameters_in_buffer),
      state_(std::make_unique<PipelineState>(PipelineState{device})) {
  device.check_alive();
  if (stage.spirv.empty()) throw InternalError("shader " + stage.name + " has no SPIR-V");
  check_limits(device.info, stage);
  state_->name = stage.name;
  try {
    state_->set_layout = make_set_layout(device, stage, state_->stages);
    state_->layout = make_layout(device, stage, state_->stages, state_->set_layout);
    state_->pipeline = make_pipeline(device, stage, state_->layout);
  } catch (...) {
    destroy(*state_);
    throw;
  }
}

Pipeline::Pipeline(DeviceState& device, const ShaderStage& vertex, const ShaderStage& fragment, std::uint32_t targets,
                   Raster raster)
    : Pipeline(device, vertex, fragment, interface_of(vertex, fragment), targets, raster) {}

Pipeline::Pipeline(DeviceState& device, const ShaderStage& vertex, const ShaderStage& fragment,
                   const ShaderStage& interface, std::uint32_t targets, Raster raster)
    : bindings_(interface.bindings),
      parameter_bytes_(interface.parameter_bytes),
      block_bytes_(interface.parameter_bytes),
      parameters_in_buffer_(interface.parameters_in_buffer),
      state_(std::make_unique<PipelineState>(PipelineState{device})) {
  device.check_alive();
  if (!device.dynamic_rendering) {
    throw DeviceError(DeviceErrorKind::unsupported,
                      "the device " + device.info.name + " has no render passes without objects (dynamicRendering)");
  }
  check_limits(device.info, interface);
  if (targets > device.info.limits.color_attachments)
    over_limit(fragment, "render targets", targets, device.info.limits.color_attachments);
  state_->name = fragment.name;
  state_->stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
  try {
    state_->set_layout = make_set_layout(device, interface, state_->stages);
    state_->layout = make_layout(device, interface, state_->stages, state_->set_layout);
    state_->pipeline = make_graphics_pipeline(device, vertex, fragment, targets, raster, state_->layout);
  } catch (...) {
    destroy(*state_);
    throw;
  }
}

Pipeline::~Pipeline() { destroy(*state_); }

std::shared_ptr<Pipeline> Device::pipeline(const ShaderStage& stage) {
  PipelineKey key = key_of(stage);
  if (const auto found = state_->pipelines.find(key); found != state_->pipelines.end()) return found->second;
  auto made = std::make_shared<Pipeline>(*state_, stage);
  state_->pipelines.emplace(std::move(key), made);
  return made;
}

std::shared_ptr<Pipeline> Device::render_pipeline(const ShaderStage& vertex, const ShaderStage& fragment,
                                                  std::uint32_t targets, Raster raster) {
  PipelineKey key = key_of(fragment);
  key.insert(key.end(), {targets, raster.points ? 1u : 0u, raster.channels});
  if (const auto found = state_->pipelines.find(key); found != state_->pipelines.end()) return found->second;
  auto made = std::make_shared<Pipeline>(*state_, vertex, fragment, targets, raster);
  state_->pipelines.emplace(std::move(key), made);
  return made;
}

}  // namespace lac::runtime::vulkan
