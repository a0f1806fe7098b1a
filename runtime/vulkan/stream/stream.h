// Commands for a device, in order. What is recorded later sees what earlier commands wrote, as if they ran one after
// the other; commands that do not touch the same bytes may overlap. Barriers are the stream's affair (hazards.h).
//
// Recording costs no waiting. submit() hands what was recorded to the device and returns a ticket; tickets ascend, and
// the device completes them in order. Everything a command uses lives until its ticket is done.
// Any call may throw DeviceError; what had been recorded then stays recorded, unless the device is lost.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "runtime/vulkan/device/device.h"
#include "runtime/vulkan/memory/buffer.h"
#include "runtime/vulkan/memory/image.h"
#include "runtime/vulkan/stream/pipeline.h"

namespace lac::runtime {
class Trace;
}

namespace lac::runtime::vulkan {

using Ticket = std::uint64_t;  ///< 0: done from the beginning

/// One of the two.
struct BoundResource {
  BufferRange buffer = {};
  std::shared_ptr<Image> image = {};
};

/// A stage with what it works on. `resources` are in the order of the stage's bindings, without its `parameters`
/// binding, which the stream provides. Whether each is read or written is the bindings' word.
struct Dispatch {
  std::shared_ptr<Pipeline> pipeline;
  std::span<const BoundResource> resources;
  std::span<const std::byte> parameters;  ///< ShaderStage::parameter_bytes of them
  std::uint32_t label = 0;                ///< times are summed by label; 0: not measured
};

/// A pass over its targets, which are of one extent and not among the resources. `work` is a Device::render_pipeline
/// with what it reads.
struct Draw {
  Dispatch work;
  std::span<const std::shared_ptr<Image>> targets;
  std::uint32_t vertices = 3;
};

/// VkDispatchIndirectCommand.
struct GroupCounts {
  std::uint32_t x = 1, y = 1, z = 1;
};

/// Bytes on their way to the host: a copy as of its place in the stream. Empty until its ticket is done.
class Download {
 public:
  Download() = default;
  Download(BufferRange copy, Ticket ticket) : copy_(std::move(copy)), ticket_(ticket) {}

  Ticket ticket() const { return ticket_; }
  /// Once Stream::wait(ticket()) has returned.
  std::span<const std::byte> bytes() const {
    if (copy_.buffer == nullptr) return {};
    return {copy_.buffer->mapped() + copy_.offset, copy_.bytes()};
  }

 private:
  BufferRange copy_;
  Ticket ticket_ = 0;
};

struct StreamCounters {
  std::int64_t submits = 0;
  std::int64_t waits = 0;  ///< that had something to wait for
  std::int64_t dispatches = 0;
  std::int64_t render_passes = 0;
  std::int64_t barriers = 0;
  std::int64_t staged_copies = 0;  ///< transfers that went through staging memory
};

struct LabelTime {
  std::uint32_t label = 0;
  std::int64_t count = 0;
  double ms = 0;
};

struct StreamState;
class CommandTaker;  // command_taker.h

class Stream {
 public:
  /// `trace`: where dispatches are noted, with their labels; may be null.
  explicit Stream(Device& device, bool timestamps = false, Trace* trace = nullptr);
  ~Stream();  ///< drops what was not submitted, waits for the rest
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  Device& device() const;
  /// Commands go to it and not to the device. Null: none. Outlives the stream or is taken back.
  void set_taker(CommandTaker* taker);

  void dispatch(const Dispatch& dispatch, const GroupCounts& groups);
  /// The group counts are the 12 bytes at `counts` (a multiple of 4) when the dispatch begins.
  void dispatch_indirect(const Dispatch& dispatch, const BufferRange& counts);

  /// One triangle; every texel of the targets is written.
  void draw(const Draw& draw);
  /// VkDrawIndirectCommand: the 16 bytes at `counts` (a multiple of 4). Without instances the targets stay as they are.
  void draw_indirect(const Draw& draw, const BufferRange& counts);

  /// Sizes and offsets are multiples of 4 in all of these but upload and download. The ranges do not overlap.
  void copy(const BufferRange& from, const BufferRange& to);
  void fill(const BufferRange& to, std::uint32_t word);
  void copy_to_image(const BufferRange& from,
                     const std::shared_ptr<Image>& to);  ///< rows of texels, tightly packed; offset a multiple of 16
  void copy_to_buffer(const std::shared_ptr<Image>& from, const BufferRange& to);

  /// The bytes are taken before the call returns: written in place where the buffer is mapped and idle, else staged.
  void upload(std::span<const std::byte> bytes, const BufferRange& to);
  Download download(const BufferRange& from);
  /// The bytes as of now: submits and waits if commands that are not done use the buffer. No copy on the device where
  /// the buffer is mapped. After wait, mapped buffers can also be read directly.
  void read(const BufferRange& from, std::span<std::byte> bytes);

  /// Returns the ticket of the last submission if nothing was recorded since.
  Ticket submit();
  /// What submit would return now.
  Ticket next_ticket() const;
  /// The last ticket that is done. Costs one call of the driver.
  Ticket completed();
  /// False when the time is over first. A ticket not yet submitted is submitted.
  bool wait(Ticket ticket, std::chrono::nanoseconds timeout = std::chrono::nanoseconds::max());
  void finish() { wait(submit()); }

  const StreamCounters& counters() const;
  /// Of the tickets found done so far, by label, since the last call. Empty without timestamps.
  std::vector<LabelTime> take_times();

  StreamState& state() { return *state_; }

 private:
  std::unique_ptr<StreamState> state_;
};

}  // namespace lac::runtime::vulkan
