// Which parts of a block of memory are free.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace lac::runtime::vulkan {

class MemoryRanges {
 public:
  explicit MemoryRanges(std::uint64_t size);

  /// The offset of `size` > 0 free bytes, a multiple of `alignment` (a power of two): from the smallest free range that
  /// has them, at its beginning or at its end.
  std::optional<std::uint64_t> take(std::uint64_t size, std::uint64_t alignment, bool from_end = false);
  /// What take gave; neighbouring free ranges become one.
  void give(std::uint64_t offset, std::uint64_t size);

  std::uint64_t size() const { return size_; }
  std::uint64_t free_bytes() const { return free_bytes_; }
  bool empty() const { return free_bytes_ == size_; }  ///< nothing is taken
  std::size_t pieces() const { return free_.size(); }  ///< free ranges

 private:
  std::uint64_t size_;
  std::uint64_t free_bytes_;
  std::map<std::uint64_t, std::uint64_t> free_;  ///< offset -> size

  void add(std::uint64_t offset, std::uint64_t size);
};

}  // namespace lac::runtime::vulkan
