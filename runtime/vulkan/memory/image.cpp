#include "runtime/vulkan/memory/image.h"

#include <string>

#include "runtime/vulkan/device/device_state.h"
#include "runtime/vulkan/memory/image_state.h"

namespace lac::runtime::vulkan {
namespace {

constexpr VkFormat format = VK_FORMAT_R32G32B32A32_SFLOAT;
constexpr VkImageUsageFlags usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                                    VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                    VK_IMAGE_USAGE_TRANSFER_DST_BIT;

void destroy(ImageState& state) {
  DeviceState& device = state.device;
  if (state.view != VK_NULL_HANDLE) device.vk().vkDestroyImageView(device.device(), state.view, nullptr);
  if (state.image != VK_NULL_HANDLE) device.vk().vkDestroyImage(device.device(), state.image, nullptr);
  if (state.memory.memory != VK_NULL_HANDLE) device.memory.free(state.memory);
}

VkImageViewCreateInfo view_of(VkImage image) {
  auto create = vulkan_struct<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
  create.image = image;
  create.viewType = VK_IMAGE_VIEW_TYPE_2D;
  create.format = format;
  create.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  return create;
}

}  // namespace

Image::Image(DeviceState& device, std::uint32_t width, std::uint32_t height)
    : width_(width), height_(height), state_(std::make_unique<ImageState>(ImageState{device})) {
  device.check_alive();
  const std::uint32_t most = device.info.limits.image_extent;
  if (width > most || height > most) {
    throw DeviceError(DeviceErrorKind::limit, "an image of " + std::to_string(width) + "x" + std::to_string(height) +
                                                  " texels passes the device's " + std::to_string(most) +
                                                  ": use --target=vulkan, which has its matrices in buffers");
  }
  auto create = vulkan_struct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
  create.imageType = VK_IMAGE_TYPE_2D;
  create.format = format;
  create.extent = {width == 0 ? 1 : width, height == 0 ? 1 : height, 1};
  create.mipLevels = 1;
  create.arrayLayers = 1;
  create.samples = VK_SAMPLE_COUNT_1_BIT;
  create.tiling = VK_IMAGE_TILING_OPTIMAL;
  create.usage = usage;
  try {
    device.check(device.vk().vkCreateImage(device.device(), &create, nullptr, &state_->image), "vkCreateImage");
    VkMemoryRequirements needs;
    device.vk().vkGetImageMemoryRequirements(device.device(), state_->image, &needs);
    state_->memory = device.memory.allocate(needs, BufferUse::device, true);
    device.check(
        device.vk().vkBindImageMemory(device.device(), state_->image, state_->memory.memory, state_->memory.offset),
        "vkBindImageMemory");
    const VkImageViewCreateInfo view = view_of(state_->image);
    device.check(device.vk().vkCreateImageView(device.device(), &view, nullptr, &state_->view), "vkCreateImageView");
  } catch (...) {
    destroy(*state_);
    throw;
  }
}

Image::~Image() { destroy(*state_); }

}  // namespace lac::runtime::vulkan
