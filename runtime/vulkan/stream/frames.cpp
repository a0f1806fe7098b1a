// The life of a stream's command buffers.
#include <array>
#include <utility>

#include "runtime/vulkan/stream/stream_state.h"

namespace lac::runtime::vulkan {
namespace {

struct Masks {
  VkPipelineStageFlags stages = 0;
  VkAccessFlags writes = 0;  ///< to be made available, where the access comes before a barrier
  VkAccessFlags all = 0;     ///< to be made visible, where it comes after
};

constexpr VkAccessFlags attachment = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;

/// By Access.
constexpr std::array<Masks, access_count> masks = {{
    {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, VK_ACCESS_SHADER_READ_BIT},
    {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_SHADER_WRITE_BIT},
    {VK_PIPELINE_STAGE_TRANSFER_BIT, 0, VK_ACCESS_TRANSFER_READ_BIT},
    {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_WRITE_BIT},
    {VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, 0, VK_ACCESS_INDIRECT_COMMAND_READ_BIT},
    {VK_PIPELINE_STAGE_HOST_BIT, 0, VK_ACCESS_HOST_READ_BIT},
    {VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, VK_ACCESS_SHADER_READ_BIT},
    {VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, attachment},
}};

}  // namespace

void record_barrier(const VolkDeviceTable& vk, VkCommandBuffer commands, const Barrier& barrier) {
  auto memory = vulkan_struct<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
  VkPipelineStageFlags before = 0;
  VkPipelineStageFlags after = 0;
  for (std::size_t access = 0; access < access_count; ++access) {
    if ((barrier.before >> access & 1) != 0) {
      before |= masks[access].stages;
      memory.srcAccessMask |= masks[access].writes;
    }
    if ((barrier.after >> access & 1) != 0) {
      after |= masks[access].stages;
      memory.dstAccessMask |= masks[access].all;
    }
  }
  vk.vkCmdPipelineBarrier(commands, before, after, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

std::uint64_t resource_id(const Buffer& buffer) { return reinterpret_cast<std::uintptr_t>(&buffer); }
std::uint64_t resource_id(const Image& image) { return reinterpret_cast<std::uintptr_t>(&image); }

ResourceAccess access_of(const BufferRange& range, Access access) {
  return {resource_id(*range.buffer), range.offset, range.offset + range.bytes(), access};
}

ResourceAccess access_of(const Image& image, Access access) { return {resource_id(image), 0, image.bytes(), access}; }

StreamState::StreamState(Device& owner, bool timed, Trace* trace)
    : owner(owner),
      device(owner.state()),
      timed(timed && device.timestamp_ns > 0),
      timeline(device),
      descriptors(device),
      uploads(device, BufferUse::upload),
      readbacks(device, BufferUse::readback),
      timestamps(device, trace) {}

StreamState::~StreamState() {
  // A device that is lost may still run what was submitted before.
  if (!in_flight.empty()) vk().vkDeviceWaitIdle(device.device());
  for (const auto& frame : in_flight) frame->completion->done = true;
  if (recording != nullptr) {
    recording->completion->done = true;
    for (const auto& image : recording->new_images) image->state().general = false;
    in_flight.push_back(std::move(recording));
  }
  for (const auto& frame : in_flight) destroy(*frame);
  for (const auto& frame : free) destroy(*frame);
}

std::unique_ptr<Frame> StreamState::make_frame() {
  auto frame = std::make_unique<Frame>();
  auto create = vulkan_struct<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
  create.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
  create.queueFamilyIndex = device.family;
  device.check(vk().vkCreateCommandPool(device.device(), &create, nullptr, &frame->pool), "vkCreateCommandPool");
  auto allocate = vulkan_struct<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
  allocate.commandPool = frame->pool;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  const VkResult result = vk().vkAllocateCommandBuffers(device.device(), &allocate, &frame->commands);
  if (result != VK_SUCCESS) destroy(*frame);
  device.check(result, "vkAllocateCommandBuffers");
  return frame;
}

void StreamState::begin(Frame& frame) {
  auto begin = vulkan_struct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  device.check(vk().vkBeginCommandBuffer(frame.commands, &begin), "vkBeginCommandBuffer");
  frame.ticket = timeline.submitted() + 1;
  frame.completion = std::make_shared<Completion>(Completion{this, frame.ticket, false});
  record_barrier(vk(), frame.commands, start_barrier(device.graphics));
}

Frame& StreamState::frame() {
  device.check_alive();
  if (recording == nullptr) {
    if (free.empty()) free.push_back(make_frame());
    begin(*free.back());
    recording = std::move(free.back());
    free.pop_back();
  } else if (recording->ended) {
    submit();
    return frame();
  }
  return *recording;
}

void StreamState::use(Frame& frame, const std::shared_ptr<Buffer>& buffer) {
  if (buffer->state().last_use == frame.completion) return;
  frame.alive.push_back(buffer);
  buffer->state().last_use = frame.completion;
}

void StreamState::use(Frame& frame, const std::shared_ptr<Image>& image) {
  ImageState& state = image->state();
  if (state.last_use != frame.completion) {
    frame.alive.push_back(image);
    state.last_use = frame.completion;
  }
  if (state.general) return;
  frame.new_images.push_back(image);
  state.general = true;
  auto barrier = vulkan_struct<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = state.image;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vk().vkCmdPipelineBarrier(frame.commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
                            0, nullptr, 0, nullptr, 1, &barrier);
}

void StreamState::order(Frame& frame, std::span<const ResourceAccess> accesses) {
  const Barrier barrier = frame.hazards.before(accesses);
  if (!barrier.needed()) return;
  record_barrier(vk(), frame.commands, barrier);
  ++counters.barriers;
}

Ticket StreamState::submit() {
  device.check_alive();
  if (recording == nullptr) return timeline.submitted();
  if (!recording->ended) {  // else: the last attempt found no memory
    record_barrier(vk(), recording->commands, end_barrier(device.graphics));
    device.check(vk().vkEndCommandBuffer(recording->commands), "vkEndCommandBuffer");
    recording->ended = true;
  }
  timeline.submit(recording->commands);
  ++counters.submits;
  in_flight.push_back(std::move(recording));
  return timeline.submitted();
}

void StreamState::refresh() {
  if (!in_flight.empty()) retire_through(timeline.completed());
}

void StreamState::retire_through(Ticket completed) {
  while (!in_flight.empty() && in_flight.front()->ticket <= completed) {
    std::unique_ptr<Frame> frame = std::move(in_flight.front());
    in_flight.pop_front();
    frame->completion->done = true;
    if (timed) timestamps.collect(frame->timestamps);
    recycle(std::move(frame));
  }
}

void StreamState::recycle(std::unique_ptr<Frame> frame) {
  frame->alive.clear();
  descriptors.recycle(frame->descriptor_pools);
  uploads.recycle(frame->uploads);
  readbacks.recycle(frame->readbacks);
  frame->new_images.clear();
  frame->hazards = {};
  frame->staged_bytes = 0;
  frame->ended = false;
  vk().vkResetCommandPool(device.device(), frame->pool, 0);
  free.push_back(std::move(frame));
}

void StreamState::destroy(Frame& frame) { vk().vkDestroyCommandPool(device.device(), frame.pool, nullptr); }

bool StreamState::idle(const Buffer& buffer) {
  if (!buffer.state().idle()) refresh();
  return buffer.state().idle();
}

void StreamState::wait_for(const Buffer& buffer) {
  if (idle(buffer)) return;
  const std::shared_ptr<const Completion> use = buffer.state().last_use;
  if (use->stream != this) {  // what another stream has submitted
    device.check(vk().vkQueueWaitIdle(device.queue), "vkQueueWaitIdle");
    ++counters.waits;
    return;
  }
  if (use->ticket > timeline.submitted()) submit();
  ++counters.waits;
  timeline.wait(use->ticket, UINT64_MAX);
  retire_through(use->ticket);
}

}  // namespace lac::runtime::vulkan
