// Which commands must wait for which: decided here and nowhere else, without Vulkan.
//
// A command declares its accesses; the tracker says which barrier must come before it. Barriers are global memory
// barriers: one covers every earlier access of its source kinds, whatever the resource, and the tracker remembers that.
// A command buffer begins with the start barrier (everything earlier -> everything later) and ends with the end barrier
// (all writes -> the host), so a tracker knows only the command buffer it was made for.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace lac::runtime::vulkan {

/// A stage of the device together with what it does there.
enum class Access : std::uint8_t {
  compute_read,
  compute_write,
  transfer_read,
  transfer_write,
  indirect_read,     ///< the counts of an indirect dispatch or draw
  host_read,         ///< after the command buffer
  graphics_read,     ///< vertex and fragment shaders
  attachment_write,  ///< a colour attachment, load and store included; every draw has a rendering scope of its own
};
inline constexpr int access_count = 8;
inline constexpr bool is_write(Access access) {
  return access == Access::compute_write || access == Access::transfer_write || access == Access::attachment_write;
}

/// Sets of Access, one bit each.
using AccessSet = std::uint16_t;
inline constexpr AccessSet bit(Access access) { return AccessSet(1u << static_cast<unsigned>(access)); }

/// Accesses of `before` in earlier commands happen, and are visible, before those of `after` in later ones. Reads in
/// `before` (write after read) need execution order alone.
struct Barrier {
  AccessSet before = 0;
  AccessSet after = 0;

  bool needed() const { return before != 0; }
  friend bool operator==(const Barrier&, const Barrier&) = default;
};

/// `graphics`: the queue has render passes too.
Barrier start_barrier(bool graphics);
Barrier end_barrier(bool graphics);

struct ResourceAccess {
  std::uint64_t resource = 0;  ///< any number that stands for the buffer or image
  std::uint64_t begin = 0;     ///< bytes [begin, end)
  std::uint64_t end = 0;
  Access access = Access::compute_read;
};

class HazardTracker {
 public:
  /// The barrier that must stand before a command with these accesses; they count as done from then on. A command that
  /// reads and writes the same bytes lists both.
  Barrier before(std::span<const ResourceAccess> command);

 private:
  struct Past {
    std::uint64_t begin, end;
    Access access;
    std::uint64_t time;
  };

  std::uint64_t time_ = 1;
  /// [earlier][later]: the time of the last barrier from the one to the other.
  std::array<std::array<std::uint64_t, access_count>, access_count> ordered_ = {};
  std::unordered_map<std::uint64_t, std::vector<Past>> past_;

  bool conflicts(const Past& past, const ResourceAccess& now) const;
  void remember(ResourceAccess now);
};

}  // namespace lac::runtime::vulkan
