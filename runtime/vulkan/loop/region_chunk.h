// Recording the trips of one chunk: dispatches whose counts the device decides (ir/plan/control.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ir/plan/control.h"
#include "runtime/vulkan/machine/machine.h"

namespace lac::runtime::vulkan {

/// What a chunk has room for.
struct ChunkCapacity {
  std::int32_t sites = 0;
  std::int32_t log_slots = 0;
  std::int32_t branches = 0;

  bool holds(const ChunkCapacity& other) const {
    return sites >= other.sites && log_slots >= other.log_slots && branches >= other.branches;
  }
  /// Adds `other`, where `most` holds both; else false, and it stays as it is.
  bool add(const ChunkCapacity& other, const ChunkCapacity& most) {
    const ChunkCapacity both{sites + other.sites, log_slots + other.log_slots, branches + other.branches};
    if (!most.holds(both)) return false;
    *this = both;
    return true;
  }
};

/// The memory of a chunk. It serves again when the chunk was polled.
struct ChunkBuffers {
  ChunkBuffers(Device& device, const ChunkCapacity& room);

  ChunkCapacity capacity;
  std::shared_ptr<Buffer> counts, base, log, record;
};

/// arena[to] = the scalar, or the number where the host knows it.
struct ScalarCopy {
  ScalarRef from;
  double number = 0;
  ScalarRef to;
};

/// Recorder of a loop's trips. Where nothing that a kernel computes decides what runs (`predicated` false), dispatches
/// are direct and nothing is armed. A branch is decided by its first dispatch that is no copy; a copy before that looks
/// at the condition itself, so that an arm that only keeps a value costs one dispatch. Should the stream submit in the
/// middle of a chunk, the rest is armed anew: the state and the branches that are open say what runs.
class ChunkRecorder : public Recorder {
 public:
  /// `state` has room for a control::State.
  ChunkRecorder(Machine& machine, bool predicated, std::shared_ptr<Buffer> state);

  /// Of a chunk that will have at most so much, which the buffers have room for.
  void begin(const ChunkBuffers& buffers, std::int32_t entry, const ChunkCapacity& wanted);
  void close_trip(std::int32_t condition);
  /// `number` from 1.
  void check(std::int32_t condition, std::int32_t number);
  /// The scalars of an entry: returns the log slot of its mark, the values follow it. At most control::log_capacity.
  std::int32_t log(const std::vector<std::int32_t>& slots);
  void open_branch(const ScalarRef& condition);
  void other_arm();
  void close_branch();
  void copy_scalars(std::span<const ScalarCopy> copies);
  /// Copies state and log to the chunk's record and submits. Its ticket.
  Ticket end();

  void launch(const std::vector<BoundStage>& stages, const KernelLabels& labels) override;
  void copy(const BufferRange& from, const BufferRange& to) override;
  void clear(const BufferRange& range) override;

  /// Of a chunk whose ticket is done.
  static control::State state_of(const ChunkBuffers& buffers);
  static std::uint64_t log_of(const ChunkBuffers& buffers, std::int32_t slot);

 private:
  struct OpenBranch {
    ScalarRef condition;
    std::int32_t range_at;    ///< in words of base
    bool second = false;      ///< its other arm is being recorded
    bool is_decided = false;  ///< its sites are zeroed where they must not run
  };

  template <class Parameters>
  void control(ControlShader which, const Parameters& parameters, bool direct = false, const GroupCounts& groups = {});
  void site(const Dispatch& dispatch, const GroupCounts& groups);
  GroupCounts groups_of(std::int32_t words) const;
  void arm(std::int32_t entry, std::int32_t log_slots);
  void resume();
  void decide(std::size_t count);
  void set_predicate(const OpenBranch& branch, bool direct);
  void set_word(std::int32_t at, std::int32_t word);
  BufferRange& own(control::Buffer buffer) { return own_[static_cast<std::size_t>(buffer)]; }

  Machine& machine_;
  bool predicated_;
  std::array<BufferRange, 6> own_ = {};  ///< by control::Buffer
  const ChunkBuffers* buffers_ = nullptr;
  std::vector<OpenBranch> open_;
  std::int32_t sites_ = 0;  ///< of this chunk, at most
  std::int32_t site_ = 0;   ///< the next
  std::int32_t log_ = 0;
  std::int32_t branches_ = 0;
  std::int64_t submits_ = 0;  ///< of the stream when the chunk was last armed
};

}  // namespace lac::runtime::vulkan
