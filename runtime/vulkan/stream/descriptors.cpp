#include "runtime/vulkan/stream/descriptors.h"

#include <array>

#include "runtime/vulkan/device/device_state.h"

namespace lac::runtime::vulkan {
namespace {

constexpr std::uint32_t sets_per_pool = 256;
constexpr std::array<VkDescriptorPoolSize, 3> pool_sizes = {{
    {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 16 * sets_per_pool},
    {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 8 * sets_per_pool},
    {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 8 * sets_per_pool},
}};

}  // namespace

DescriptorPools::~DescriptorPools() {
  for (const VkDescriptorPool pool : all_) device_.vk().vkDestroyDescriptorPool(device_.device(), pool, nullptr);
}

VkDescriptorPool DescriptorPools::take() {
  if (!free_.empty()) {
    const VkDescriptorPool pool = free_.back();
    free_.pop_back();
    return pool;
  }
  auto create = vulkan_struct<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
  create.maxSets = sets_per_pool;
  create.poolSizeCount = pool_sizes.size();
  create.pPoolSizes = pool_sizes.data();
  VkDescriptorPool pool = VK_NULL_HANDLE;
  device_.check(device_.vk().vkCreateDescriptorPool(device_.device(), &create, nullptr, &pool),
                "vkCreateDescriptorPool");
  all_.push_back(pool);
  return pool;
}

VkDescriptorSet DescriptorPools::allocate(VkDescriptorSetLayout layout, std::vector<VkDescriptorPool>& used) {
  auto allocate = vulkan_struct<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
  allocate.descriptorSetCount = 1;
  allocate.pSetLayouts = &layout;
  VkDescriptorSet set = VK_NULL_HANDLE;
  if (!used.empty()) {
    allocate.descriptorPool = used.back();
    const VkResult result = device_.vk().vkAllocateDescriptorSets(device_.device(), &allocate, &set);
    if (result == VK_SUCCESS) return set;
    if (result != VK_ERROR_OUT_OF_POOL_MEMORY && result != VK_ERROR_FRAGMENTED_POOL) {
      device_.check(result, "vkAllocateDescriptorSets");
    }
  }
  used.push_back(take());
  allocate.descriptorPool = used.back();
  device_.check(device_.vk().vkAllocateDescriptorSets(device_.device(), &allocate, &set), "vkAllocateDescriptorSets");
  return set;
}

void DescriptorPools::recycle(std::vector<VkDescriptorPool>& used) {
  for (const VkDescriptorPool pool : used) {
    device_.vk().vkResetDescriptorPool(device_.device(), pool, 0);
    free_.push_back(pool);
  }
  used.clear();
}

}  // namespace lac::runtime::vulkan
