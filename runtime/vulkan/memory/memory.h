// Device memory, handed out of blocks.
#pragma once

#include <volk.h>

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <utility>

#include "runtime/vulkan/device/device.h"
#include "runtime/vulkan/memory/ranges.h"

namespace lac::runtime::vulkan {

struct MemoryBlock {
  VkDeviceMemory memory = VK_NULL_HANDLE;
  std::byte* mapped = nullptr;
  MemoryRanges ranges;
};

struct Allocation {
  VkDeviceMemory memory = VK_NULL_HANDLE;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::byte* mapped = nullptr;  ///< of the allocation, not the block

 private:
  friend class MemoryAllocator;
  std::uint64_t pool = 0;
  std::list<MemoryBlock>::iterator block = {};
};

/// The memory type that serves a use best, of those in the bits; nullopt: none. `unified`: all of it is the host's too.
std::optional<std::uint32_t> choose_memory_type(const VkPhysicalDeviceMemoryProperties& memory, std::uint32_t type_bits,
                                                BufferUse use, bool unified);

/// Blocks of 64 MiB by memory type and by whether they hold images; what is larger than half of one has its own.
/// A pool keeps one empty block. Throws DeviceError out_of_memory and is then as before.
class MemoryAllocator {
 public:
  explicit MemoryAllocator(DeviceState& device) : device_(device) {}
  ~MemoryAllocator();  ///< everything was given back
  MemoryAllocator(const MemoryAllocator&) = delete;
  MemoryAllocator& operator=(const MemoryAllocator&) = delete;

  Allocation allocate(const VkMemoryRequirements& needs, BufferUse use, bool image);
  void free(const Allocation& allocation);
  const DeviceMemory& statistics() const { return statistics_; }

 private:
  using Pool = std::list<MemoryBlock>;

  DeviceState& device_;
  std::map<std::uint64_t, Pool> pools_;  ///< by type and kind
  DeviceMemory statistics_;

  void fault();
  std::list<MemoryBlock>::iterator add_block(Pool& pool, std::uint32_t type, std::uint64_t size);
  void drop_block(Pool& pool, Pool::iterator block);
  bool drop_empty_blocks();
  std::optional<Allocation> take(Pool& pool, const VkMemoryRequirements& needs);
};

}  // namespace lac::runtime::vulkan
