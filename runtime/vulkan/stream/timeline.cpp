#include "runtime/vulkan/stream/timeline.h"

#include <algorithm>

#include "runtime/vulkan/device/device_state.h"

namespace lac::runtime::vulkan {

Timeline::Timeline(DeviceState& device) : device_(device) {
  device.check_alive();
  auto type = vulkan_struct<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  auto create = vulkan_struct<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
  create.pNext = &type;
  device.check(device.vk().vkCreateSemaphore(device.device(), &create, nullptr, &semaphore_), "vkCreateSemaphore");
}

Timeline::~Timeline() { device_.vk().vkDestroySemaphore(device_.device(), semaphore_, nullptr); }

std::uint64_t Timeline::submit(VkCommandBuffer commands) {
  device_.check_alive();
  if (device_.options.faults.lose_at_submit == device_.submits++) device_.lose("vkQueueSubmit, injected");
  const std::uint64_t ticket = submitted_ + 1;
  auto values = vulkan_struct<VkTimelineSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
  values.signalSemaphoreValueCount = 1;
  values.pSignalSemaphoreValues = &ticket;
  auto submit = vulkan_struct<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  submit.pNext = &values;
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  submit.signalSemaphoreCount = 1;
  submit.pSignalSemaphores = &semaphore_;
  device_.check(device_.vk().vkQueueSubmit(device_.queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  return submitted_ = ticket;
}

std::uint64_t Timeline::completed() {
  device_.check_alive();
  std::uint64_t value = 0;
  device_.check(device_.vk().vkGetSemaphoreCounterValue(device_.device(), semaphore_, &value),
                "vkGetSemaphoreCounterValue");
  return completed_ = std::max(completed_, value);
}

bool Timeline::wait(std::uint64_t ticket, std::uint64_t nanoseconds) {
  device_.check_alive();
  if (ticket <= completed_) return true;
  auto wait = vulkan_struct<VkSemaphoreWaitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO);
  wait.semaphoreCount = 1;
  wait.pSemaphores = &semaphore_;
  wait.pValues = &ticket;
  const VkResult result = device_.vk().vkWaitSemaphores(device_.device(), &wait, nanoseconds);
  if (result == VK_TIMEOUT) return false;
  device_.check(result, "vkWaitSemaphores");
  completed_ = std::max(completed_, ticket);
  return true;
}

}  // namespace lac::runtime::vulkan
