// The Vulkan side of a Pipeline.
#pragma once

#include <volk.h>

#include <string>
#include <vector>

#include "runtime/vulkan/stream/pipeline.h"

namespace lac::runtime::vulkan {

struct PipelineState {
  DeviceState& device;
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
  VkShaderStageFlags stages = VK_SHADER_STAGE_COMPUTE_BIT;  ///< that see bindings and push constants
  std::string name = {};
};

VkDescriptorType descriptor_type(const Binding& binding);
/// The caller destroys it.
VkShaderModule make_module(DeviceState& device, const ShaderStage& stage);
/// No vertex input: positions come from the vertex shader. RGBA32F targets, no blending, dynamic viewport.
VkPipeline make_graphics_pipeline(DeviceState& device, const ShaderStage& vertex, const ShaderStage& fragment,
                                  std::uint32_t targets, Raster raster, VkPipelineLayout layout);

}  // namespace lac::runtime::vulkan
