#include "runtime/vulkan/stream/stream.h"

#include <algorithm>
#include <string>

#include "runtime/vulkan/stream/bind.h"
#include "runtime/vulkan/stream/command_taker.h"
#include "runtime/vulkan/stream/pipeline_state.h"
#include "runtime/vulkan/stream/stream_state.h"

namespace lac::runtime::vulkan {
namespace {

/// Everything before the dispatch command itself. `counts`: of an indirect one.
void prepare(StreamState& stream, Frame& frame, const Dispatch& dispatch, const BufferRange* counts) {
  const PipelineState& pipeline = dispatch.pipeline->state();
  BoundSet bound = bind(stream, frame, dispatch, Access::compute_read);
  if (counts != nullptr) {
    stream.use(frame, counts->buffer);
    bound.accesses.push_back(access_of({counts->buffer, counts->offset, sizeof(GroupCounts)}, Access::indirect_read));
  }
  stream.order(frame, bound.accesses);
  const VolkDeviceTable& vk = stream.vk();
  vk.vkCmdBindPipeline(frame.commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.pipeline);
  vk.vkCmdBindDescriptorSets(frame.commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout, 0, 1, &bound.set, 0,
                             nullptr);
  if (!bound.pushed.empty())
    vk.vkCmdPushConstants(frame.commands, pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                          static_cast<std::uint32_t>(bound.pushed.size()), bound.pushed.data());
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

Stream::Stream(Device& device, bool timestamps, Trace* trace)
    : state_(std::make_unique<StreamState>(device, timestamps, trace)) {}
Stream::~Stream() = default;

Device& Stream::device() const { return state_->owner; }
void Stream::set_taker(CommandTaker* taker) { state_->taker = taker; }

void Stream::dispatch(const Dispatch& dispatch, const GroupCounts& groups) {
  check_groups(state_->device, dispatch.pipeline->state(), groups);
  if (groups.x == 0 || groups.y == 0 || groups.z == 0) return;
  if (state_->taker) return state_->taker->dispatched(dispatch, groups, nullptr);
  Frame& frame = state_->frame();
  prepare(*state_, frame, dispatch, nullptr);
  timed(*state_, frame, dispatch.label,
        [&] { state_->vk().vkCmdDispatch(frame.commands, groups.x, groups.y, groups.z); });
}

void Stream::dispatch_indirect(const Dispatch& dispatch, const BufferRange& counts) {
  if (state_->taker) return state_->taker->dispatched(dispatch, {}, &counts);
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
