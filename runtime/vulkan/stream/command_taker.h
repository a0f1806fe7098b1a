// Someone who takes the commands of a stream (stream.h): the device does not see them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lac::runtime::vulkan {

struct BufferRange;
struct Dispatch;
struct GroupCounts;

/// Called for each command, in order.
class CommandTaker {
 public:
  virtual ~CommandTaker() = default;
  /// `counts`: null, or what an indirect dispatch takes its groups from.
  virtual void dispatched(const Dispatch& dispatch, const GroupCounts& groups, const BufferRange* counts) = 0;
  virtual void copied(const BufferRange& from, const BufferRange& to) = 0;
  virtual void filled(const BufferRange& to, std::uint32_t word) = 0;
  virtual void uploaded(std::span<const std::byte> bytes, const BufferRange& to) = 0;
  /// The host wants to look at what commands would have made.
  virtual void looked_at(const BufferRange& from) = 0;
};

}  // namespace lac::runtime::vulkan
