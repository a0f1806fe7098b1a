#include "runtime/vulkan/memory/buffer.h"

#include <algorithm>
#include <string>

#include "runtime/vulkan/device/device_state.h"
#include "runtime/vulkan/memory/buffer_state.h"

namespace lac::runtime::vulkan {
namespace {

constexpr VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

/// Shaders read whole words, and an empty matrix is bound like any other.
std::uint64_t capacity(std::uint64_t bytes) { return std::max<std::uint64_t>((bytes + 15) / 16 * 16, 16); }

/// 0 where the device gives none.
VkDeviceAddress address_of(const DeviceState& device, VkBuffer buffer) {
  if (!device.info.buffer_addresses) return 0;
  auto info = vulkan_struct<VkBufferDeviceAddressInfo>(VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO);
  info.buffer = buffer;
  return device.vk().vkGetBufferDeviceAddress(device.device(), &info);
}

}  // namespace

Buffer::Buffer(DeviceState& device, std::uint64_t bytes, BufferUse use)
    : size_(bytes), state_(std::make_unique<BufferState>(BufferState{device})) {
  device.check_alive();
  if (bytes > device.info.limits.buffer_bytes) {
    throw DeviceError(DeviceErrorKind::limit, "a buffer of " + std::to_string(bytes) + " bytes passes the device's " +
                                                  std::to_string(device.info.limits.buffer_bytes));
  }
  state_->capacity = capacity(bytes);
  auto create = vulkan_struct<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  create.size = state_->capacity;
  create.usage = usage | (device.info.buffer_addresses ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0);
  device.check(device.vk().vkCreateBuffer(device.device(), &create, nullptr, &state_->buffer), "vkCreateBuffer");
  try {
    VkMemoryRequirements needs;
    device.vk().vkGetBufferMemoryRequirements(device.device(), state_->buffer, &needs);
    state_->memory = device.memory.allocate(needs, use, false);
    device.check(
        device.vk().vkBindBufferMemory(device.device(), state_->buffer, state_->memory.memory, state_->memory.offset),
        "vkBindBufferMemory");
    state_->address = address_of(device, state_->buffer);
  } catch (...) {
    device.vk().vkDestroyBuffer(device.device(), state_->buffer, nullptr);
    if (state_->memory.memory != VK_NULL_HANDLE) device.memory.free(state_->memory);
    throw;
  }
  const bool direct = device.info.unified_memory && device.options.mode != DeviceMode::staging;
  mapped_ = use != BufferUse::device || direct ? state_->memory.mapped : nullptr;
}

Buffer::~Buffer() {
  DeviceState& device = state_->device;
  device.vk().vkDestroyBuffer(device.device(), state_->buffer, nullptr);
  device.memory.free(state_->memory);
}

}  // namespace lac::runtime::vulkan
