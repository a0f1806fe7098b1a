// The Vulkan side of a Stream.
#pragma once

#include <volk.h>

#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "runtime/vulkan/device/device_state.h"
#include "runtime/vulkan/memory/buffer_state.h"
#include "runtime/vulkan/memory/image_state.h"
#include "runtime/vulkan/memory/staging.h"
#include "runtime/vulkan/stream/descriptors.h"
#include "runtime/vulkan/stream/hazards.h"
#include "runtime/vulkan/stream/stream.h"
#include "runtime/vulkan/stream/timeline.h"
#include "runtime/vulkan/stream/timestamps.h"

namespace lac::runtime::vulkan {

/// One command buffer and what it holds on to until it is done.
struct Frame {
  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  Ticket ticket = 0;
  std::shared_ptr<Completion> completion;
  HazardTracker hazards;
  std::vector<std::shared_ptr<const void>> alive;
  std::vector<std::shared_ptr<Image>> new_images;  ///< brought into the general layout here
  std::vector<VkDescriptorPool> descriptor_pools;
  std::vector<Staging::Chunk> uploads;
  std::vector<Staging::Chunk> readbacks;
  std::uint64_t staged_bytes = 0;  ///< of uploads
  bool ended = false;              ///< nothing more can be recorded
  TimestampSet timestamps;
};

struct StreamState {
  Device& owner;
  DeviceState& device;
  bool timed = false;
  CommandTaker* taker = nullptr;
  Timeline timeline;
  DescriptorPools descriptors;
  Staging uploads;
  Staging readbacks;
  Timestamps timestamps;
  StreamCounters counters;
  std::unique_ptr<Frame> recording;  ///< null: nothing was recorded
  std::deque<std::unique_ptr<Frame>> in_flight;
  std::vector<std::unique_ptr<Frame>> free;

  StreamState(Device& device, bool timestamps, Trace* trace);
  ~StreamState();
  StreamState(const StreamState&) = delete;
  StreamState& operator=(const StreamState&) = delete;

  const VolkDeviceTable& vk() const { return device.vk(); }
  /// The frame that is being recorded; begins one if need be.
  Frame& frame();
  /// Keeps it alive until the frame is done.
  void use(Frame& frame, const std::shared_ptr<Buffer>& buffer);
  void use(Frame& frame, const std::shared_ptr<Image>& image);
  /// The barrier that the command with these accesses needs.
  void order(Frame& frame, std::span<const ResourceAccess> accesses);

  Ticket submit();
  void refresh();                         ///< asks what is done and recycles it
  void retire_through(Ticket completed);  ///< recycles what is done
  bool idle(const Buffer& buffer);        ///< no recorded or running command uses it
  void wait_for(const Buffer& buffer);    ///< until it is idle

 private:
  std::unique_ptr<Frame> make_frame();
  void begin(Frame& frame);
  void recycle(std::unique_ptr<Frame> frame);
  void destroy(Frame& frame);
};

std::uint64_t resource_id(const Buffer& buffer);
std::uint64_t resource_id(const Image& image);
ResourceAccess access_of(const BufferRange& range, Access access);
ResourceAccess access_of(const Image& image, Access access);
void record_barrier(const VolkDeviceTable& vk, VkCommandBuffer commands, const Barrier& barrier);

}  // namespace lac::runtime::vulkan
