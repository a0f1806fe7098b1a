// Tickets as the values of a timeline semaphore.
#pragma once

#include <volk.h>

#include <cstdint>

namespace lac::runtime::vulkan {

struct DeviceState;

class Timeline {
 public:
  explicit Timeline(DeviceState& device);
  ~Timeline();
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  std::uint64_t submitted() const { return submitted_; }
  /// Hands the commands to the queue; returns the ticket that is reached when they are done.
  std::uint64_t submit(VkCommandBuffer commands);
  /// The last ticket that is done: asks the driver.
  std::uint64_t completed();
  std::uint64_t known_completed() const { return completed_; }
  /// False where the time was over first.
  bool wait(std::uint64_t ticket, std::uint64_t nanoseconds);

 private:
  DeviceState& device_;
  VkSemaphore semaphore_ = VK_NULL_HANDLE;
  std::uint64_t submitted_ = 0;
  std::uint64_t completed_ = 0;
};

}  // namespace lac::runtime::vulkan
