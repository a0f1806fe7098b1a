// Descriptor sets, recycled pool by pool.
#pragma once

#include <volk.h>

#include <vector>

namespace lac::runtime::vulkan {

struct DeviceState;

class DescriptorPools {
 public:
  explicit DescriptorPools(DeviceState& device) : device_(device) {}
  ~DescriptorPools();
  DescriptorPools(const DescriptorPools&) = delete;
  DescriptorPools& operator=(const DescriptorPools&) = delete;

  /// A set from the last of `used`, or from a pool that is put behind it.
  VkDescriptorSet allocate(VkDescriptorSetLayout layout, std::vector<VkDescriptorPool>& used);
  /// The commands that use their sets are done; empties `used`.
  void recycle(std::vector<VkDescriptorPool>& used);

 private:
  DeviceState& device_;
  std::vector<VkDescriptorPool> all_;
  std::vector<VkDescriptorPool> free_;

  VkDescriptorPool take();
};

}  // namespace lac::runtime::vulkan
