// Reference-counted bytes: owned (64-byte aligned, zeroed) or borrowed from the host (never written, never freed).
#pragma once

#include <cstddef>
#include <memory>

namespace lac::runtime {

class Memory {
 public:
  static constexpr std::size_t alignment = 64;

  Memory() = default;
  /// Zeroed bytes, aligned to `alignment`, rounded up to a multiple of it (full vectors may read past the end).
  /// Throws std::bad_alloc.
  static Memory allocate(std::size_t bytes);
  /// The host keeps the bytes alive and unchanged for as long as any copy of this Memory is in use.
  static Memory borrow(const void* data, std::size_t bytes);

  const void* data() const { return data_.get(); }
  std::size_t size() const { return bytes_; }
  bool borrowed() const { return borrowed_; }
  /// The bytes for writing. A borrowed or shared block is copied first, so no one else sees the writes.
  void* writable();

 private:
  std::shared_ptr<void> data_;
  std::size_t bytes_ = 0;
  bool borrowed_ = false;
};

}  // namespace lac::runtime
