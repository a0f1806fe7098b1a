// The Vulkan side of a Pipeline.
#pragma once

#include <volk.h>

#include <string>
#include <vector>

#include "runtime/vulkan/pipeline.h"

namespace lac::runtime::vulkan {

struct PipelineState {
  DeviceState& device;
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
  std::string name = {};
};

VkDescriptorType descriptor_type(const Binding& binding);

}  // namespace lac::runtime::vulkan
