// Pipelines of render passes.
#include <array>
#include <vector>

#include "runtime/vulkan/device/device_state.h"
#include "runtime/vulkan/stream/pipeline_state.h"

namespace lac::runtime::vulkan {
namespace {

VkPipelineShaderStageCreateInfo shader(VkShaderStageFlagBits stage, VkShaderModule module) {
  auto info = vulkan_struct<VkPipelineShaderStageCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
  info.stage = stage;
  info.module = module;
  info.pName = "main";
  return info;
}

VkPipeline create(DeviceState& device, const std::array<VkPipelineShaderStageCreateInfo, 2>& shaders,
                  std::uint32_t targets, Raster how, VkPipelineLayout layout) {
  const auto vertices =
      vulkan_struct<VkPipelineVertexInputStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO);
  auto assembly = vulkan_struct<VkPipelineInputAssemblyStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO);
  assembly.topology = how.points ? VK_PRIMITIVE_TOPOLOGY_POINT_LIST : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  auto viewport =
      vulkan_struct<VkPipelineViewportStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO);
  viewport.viewportCount = viewport.scissorCount = 1;
  auto raster =
      vulkan_struct<VkPipelineRasterizationStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO);
  raster.lineWidth = 1;
  auto samples =
      vulkan_struct<VkPipelineMultisampleStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO);
  samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  VkPipelineColorBlendAttachmentState replace{};
  replace.colorWriteMask = how.channels;  // R, G, B and A are bits 0 to 3
  const std::vector<VkPipelineColorBlendAttachmentState> blends(targets, replace);
  auto blend =
      vulkan_struct<VkPipelineColorBlendStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO);
  blend.attachmentCount = targets;
  blend.pAttachments = blends.data();
  constexpr std::array<VkDynamicState, 2> set_later = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  auto dynamic = vulkan_struct<VkPipelineDynamicStateCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO);
  dynamic.dynamicStateCount = set_later.size();
  dynamic.pDynamicStates = set_later.data();
  const std::vector<VkFormat> formats(targets, VK_FORMAT_R32G32B32A32_SFLOAT);
  auto rendering = vulkan_struct<VkPipelineRenderingCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
  rendering.colorAttachmentCount = targets;
  rendering.pColorAttachmentFormats = formats.data();

  auto info = vulkan_struct<VkGraphicsPipelineCreateInfo>(VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
  info.pNext = &rendering;
  info.stageCount = shaders.size();
  info.pStages = shaders.data();
  info.pVertexInputState = &vertices;
  info.pInputAssemblyState = &assembly;
  info.pViewportState = &viewport;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &samples;
  info.pColorBlendState = &blend;
  info.pDynamicState = &dynamic;
  info.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  device.check(
      device.vk().vkCreateGraphicsPipelines(device.device(), device.cache->handle(), 1, &info, nullptr, &pipeline),
      "vkCreateGraphicsPipelines");
  device.cache->note_new_pipeline();
  return pipeline;
}

/// Ends with the scope.
struct Module {
  DeviceState& device;
  VkShaderModule module;

  Module(DeviceState& device, const ShaderStage& stage) : device(device), module(make_module(device, stage)) {}
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  ~Module() { device.vk().vkDestroyShaderModule(device.device(), module, nullptr); }
};

}  // namespace

VkPipeline make_graphics_pipeline(DeviceState& device, const ShaderStage& vertex, const ShaderStage& fragment,
                                  std::uint32_t targets, Raster raster, VkPipelineLayout layout) {
  const Module corner(device, vertex), texel(device, fragment);
  return create(device,
                {shader(VK_SHADER_STAGE_VERTEX_BIT, corner.module), shader(VK_SHADER_STAGE_FRAGMENT_BIT, texel.module)},
                targets, raster, layout);
}

}  // namespace lac::runtime::vulkan
