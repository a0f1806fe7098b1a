#include "runtime/vulkan/stream.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "runtime/vulkan/pipeline_state.h"
#include "runtime/vulkan/stream_state.h"

namespace lac::runtime::vulkan {
namespace {

/// What a dispatch binds, gathered before anything is recorded.
struct Bound {
  std::vector<ResourceAccess> accesses;
  std::vector<VkDescriptorBufferInfo> buffers;
  std::vector<VkDescriptorImageInfo> images;
  std::vector<VkWriteDescriptorSet> writes;
};

[[noreturn]] void wrong_use(const PipelineState& pipeline, const std::string& what) {
  throw InternalError("dispatch of shader " + pipeline.name + ": " + what);
}

void bind_buffer(Bound& bound, const DeviceState& device, const PipelineState& pipeline, const Binding& binding,
                 const BufferRange& range) {
  if (range.buffer == nullptr) wrong_use(pipeline, "no buffer for binding " + binding.name);
  const DeviceLimits& limits = device.info.limits;
  const std::uint64_t bytes = range.bytes();
  if (range.offset % limits.storage_buffer_offset != 0) wrong_use(pipeline, "unaligned binding " + binding.name);
  if (bytes > limits.storage_buffer_range) {
    throw DeviceError(DeviceErrorKind::limit, "shader " + pipeline.name + ": " + std::to_string(bytes) + " bytes of " +
                                                  binding.name + " pass the " +
                                                  std::to_string(limits.storage_buffer_range) +
                                                  " that a shader of the device can address (maxStorageBufferRange)");
  }
  bound.buffers.push_back({range.buffer->state().buffer, range.offset, std::max<std::uint64_t>(bytes, 4)});
  if (binding.read) bound.accesses.push_back(access_of(range, Access::compute_read));
  if (binding.written) bound.accesses.push_back(access_of(range, Access::compute_write));
}

void bind_image(Bound& bound, const DeviceState& device, const PipelineState& pipeline, const Binding& binding,
                const std::shared_ptr<Image>& image) {
  if (image == nullptr) wrong_use(pipeline, "no image for binding " + binding.name);
  bound.images.push_back({device.sampler, image->state().view, VK_IMAGE_LAYOUT_GENERAL});
  if (binding.read) bound.accesses.push_back(access_of(*image, Access::compute_read));
  if (binding.written) bound.accesses.push_back(access_of(*image, Access::compute_write));
}

void add_write(Bound& bound, const Binding& binding) {
  auto write = vulkan_struct<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
  write.dstBinding = binding.number;
  write.descriptorCount = 1;
  write.descriptorType = descriptor_type(binding);
  if (binding.layout == Layout::buffer) write.pBufferInfo = &bound.buffers.back();
  else write.pImageInfo = &bound.images.back();
  bound.writes.push_back(write);
}

/// The parameters as a buffer of their own, where they are too many to be pushed.
BufferRange parameter_block(StreamState& stream, Frame& frame, std::span<const std::byte> parameters) {
  const std::uint64_t alignment = std::max<std::uint64_t>(stream.device.info.limits.storage_buffer_offset, 16);
  BufferRange block = stream.uploads.take(std::max<std::size_t>(parameters.size(), 4), alignment, frame.uploads);
  if (!parameters.empty()) std::memcpy(block.buffer->mapped() + block.offset, parameters.data(), parameters.size());
  return block;
}

Bound gather(StreamState& stream, Frame& frame, const Dispatch& dispatch) {
  const Pipeline& pipeline = *dispatch.pipeline;
  const std::vector<Binding>& bindings = pipeline.bindings();
  if (dispatch.parameters.size() != pipeline.parameter_bytes()) {
    wrong_use(pipeline.state(), std::to_string(dispatch.parameters.size()) + " bytes of parameters for " +
                                    std::to_string(pipeline.parameter_bytes()));
  }
  Bound bound;
  bound.buffers.reserve(bindings.size());  // the writes point into both
  bound.images.reserve(bindings.size());
  std::size_t next = 0;
  for (const Binding& binding : bindings) {
    if (binding.kind == ResourceKind::parameters) {
      const BufferRange block = parameter_block(stream, frame, dispatch.parameters);
      bound.buffers.push_back({block.buffer->state().buffer, block.offset, block.size});
      add_write(bound, binding);
      continue;
    }
    if (next == dispatch.resources.size()) wrong_use(pipeline.state(), "nothing for binding " + binding.name);
    const BoundResource& resource = dispatch.resources[next++];
    if (binding.layout == Layout::buffer) {
      bind_buffer(bound, stream.device, pipeline.state(), binding, resource.buffer);
    } else {
      bind_image(bound, stream.device, pipeline.state(), binding, resource.image);
    }
    add_write(bound, binding);
  }
  if (next != dispatch.resources.size()) wrong_use(pipeline.state(), "more resources than bindings");
  return bound;
}

VkDescriptorSet make_set(StreamState& stream, Frame& frame, const PipelineState& pipeline, Bound& bound) {
  const VkDescriptorSet set = stream.descriptors.allocate(pipeline.set_layout, frame.descriptor_pools);
  for (VkWriteDescriptorSet& write : bound.writes) write.dstSet = set;
  stream.vk().vkUpdateDescriptorSets(stream.device.device(), static_cast<std::uint32_t>(bound.writes.size()),
                                     bound.writes.data(), 0, nullptr);
  return set;
}

/// Everything before the dispatch command itself. `counts`: of an indirect one.
void prepare(StreamState& stream, Frame& frame, const Dispatch& dispatch, const BufferRange* counts) {
  const PipelineState& pipeline = dispatch.pipeline->state();
  Bound bound = gather(stream, frame, dispatch);
  const VkDescriptorSet set = make_set(stream, frame, pipeline, bound);
  for (const BoundResource& resource : dispatch.resources) {
    if (resource.buffer.buffer != nullptr) stream.use(frame, resource.buffer.buffer);
    if (resource.image != nullptr) stream.use(frame, resource.image);
  }
  if (counts != nullptr) {
    stream.use(frame, counts->buffer);
    bound.accesses.push_back(access_of({counts->buffer, counts->offset, sizeof(GroupCounts)}, Access::indirect_read));
  }
  stream.order(frame, bound.accesses);
  const VolkDeviceTable& vk = stream.vk();
  vk.vkCmdBindPipeline(frame.commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.pipeline);
  vk.vkCmdBindDescriptorSets(frame.commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout, 0, 1, &set, 0, nullptr);
  if (!dispatch.parameters.empty() && !dispatch.pipeline->parameters_in_buffer()) {
    vk.vkCmdPushConstants(frame.commands, pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                          static_cast<std::uint32_t>(dispatch.parameters.size()), dispatch.parameters.data());
  }
}

/// `command` between two timestamps, if its times are wanted.
template <class Command>
void timed(StreamState& stream, Frame& frame, std::uint32_t label, const Command& command) {
  const bool measured = stream.timed && label != 0;
  if (measured) stream.timestamps.begin(frame.commands, frame.timestamps, label);
  command();
  if (measured) stream.timestamps.end(frame.commands, frame.timestamps);
  ++stream.counters.dispatches;
}

void check_groups(const DeviceState& device, const PipelineState& pipeline, const GroupCounts& groups) {
  const std::array<std::uint32_t, 3> wanted = {groups.x, groups.y, groups.z};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::uint32_t most = device.info.limits.group_count[axis];
    if (wanted[axis] <= most) continue;
    throw DeviceError(DeviceErrorKind::limit, "shader " + pipeline.name + ": " + std::to_string(wanted[axis]) +
                                                  " workgroups along an axis pass the device's " +
                                                  std::to_string(most));
  }
}

}  // namespace

Stream::Stream(Device& device, bool timestamps) : state_(std::make_unique<StreamState>(device, timestamps)) {}
Stream::~Stream() = default;

Device& Stream::device() const { return state_->owner; }

void Stream::dispatch(const Dispatch& dispatch, const GroupCounts& groups) {
  check_groups(state_->device, dispatch.pipeline->state(), groups);
  if (groups.x == 0 || groups.y == 0 || groups.z == 0) return;
  Frame& frame = state_->frame();
  prepare(*state_, frame, dispatch, nullptr);
  timed(*state_, frame, dispatch.label,
        [&] { state_->vk().vkCmdDispatch(frame.commands, groups.x, groups.y, groups.z); });
}

void Stream::dispatch_indirect(const Dispatch& dispatch, const BufferRange& counts) {
  Frame& frame = state_->frame();
  prepare(*state_, frame, dispatch, &counts);
  timed(*state_, frame, dispatch.label,
        [&] { state_->vk().vkCmdDispatchIndirect(frame.commands, counts.buffer->state().buffer, counts.offset); });
}

Ticket Stream::submit() { return state_->submit(); }

Ticket Stream::next_ticket() const {
  return state_->recording == nullptr ? state_->timeline.submitted() : state_->recording->ticket;
}

Ticket Stream::completed() {
  state_->device.check_alive();
  state_->refresh();
  return state_->timeline.known_completed();
}

bool Stream::wait(Ticket ticket, std::chrono::nanoseconds timeout) {
  state_->device.check_alive();
  if (ticket <= state_->timeline.known_completed()) return true;
  if (ticket > state_->timeline.submitted()) submit();
  if (ticket > state_->timeline.submitted()) throw InternalError("a wait for commands that nobody recorded");
  ++state_->counters.waits;
  const bool forever = timeout == std::chrono::nanoseconds::max();
  if (!state_->timeline.wait(ticket, forever ? UINT64_MAX : static_cast<std::uint64_t>(timeout.count()))) return false;
  state_->retire_through(ticket);
  return true;
}

const StreamCounters& Stream::counters() const { return state_->counters; }
std::vector<LabelTime> Stream::take_times() { return state_->timestamps.take(); }

}  // namespace lac::runtime::vulkan
