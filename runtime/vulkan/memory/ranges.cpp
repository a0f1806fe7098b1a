#include "runtime/vulkan/memory/ranges.h"

#include <iterator>

namespace lac::runtime::vulkan {
namespace {

/// Where `size` bytes go in the free range, if they fit.
std::optional<std::uint64_t> place(std::uint64_t begin, std::uint64_t bytes, std::uint64_t size,
                                   std::uint64_t alignment, bool from_end) {
  if (bytes < size) return std::nullopt;
  const std::uint64_t mask = ~(alignment - 1);
  const std::uint64_t offset = from_end ? (begin + bytes - size) & mask : (begin + alignment - 1) & mask;
  if (offset < begin || offset + size > begin + bytes) return std::nullopt;
  return offset;
}

}  // namespace

MemoryRanges::MemoryRanges(std::uint64_t size) : size_(size), free_bytes_(size), free_({{0, size}}) {}

void MemoryRanges::add(std::uint64_t offset, std::uint64_t size) {
  if (size > 0) free_.emplace(offset, size);
}

std::optional<std::uint64_t> MemoryRanges::take(std::uint64_t size, std::uint64_t alignment, bool from_end) {
  auto best = free_.end();
  std::uint64_t offset = 0;
  for (auto range = free_.begin(); range != free_.end(); ++range) {
    const auto here = place(range->first, range->second, size, alignment, from_end);
    if (!here || (best != free_.end() && best->second <= range->second)) continue;
    best = range;
    offset = *here;
  }
  if (best == free_.end()) return std::nullopt;
  const auto [begin, bytes] = *best;
  free_.erase(best);
  add(begin, offset - begin);
  add(offset + size, begin + bytes - offset - size);
  free_bytes_ -= size;
  return offset;
}

void MemoryRanges::give(std::uint64_t offset, std::uint64_t size) {
  free_bytes_ += size;
  auto next = free_.lower_bound(offset);
  if (next != free_.end() && offset + size == next->first) {
    size += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto previous = std::prev(next);
    if (previous->first + previous->second == offset) {
      previous->second += size;
      return;
    }
  }
  free_.emplace_hint(next, offset, size);
}

}  // namespace lac::runtime::vulkan
