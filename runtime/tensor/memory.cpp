#include "runtime/tensor/memory.h"

#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

namespace lac::runtime {

// calloc hands out fresh pages untouched: a large matrix costs nothing until it is written, and then in the threads
// that write it.
Memory Memory::allocate(std::size_t bytes) {
  Memory memory;
  memory.bytes_ = bytes;
  if (bytes == 0) return memory;
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) throw std::bad_alloc();
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* block = std::calloc(1, rounded + alignment);
  if (block == nullptr) throw std::bad_alloc();
  std::size_t space = rounded + alignment;
  void* aligned = block;
  std::align(alignment, rounded, aligned, space);
  memory.data_ = std::shared_ptr<void>(aligned, [block](void*) { std::free(block); });
  return memory;
}

Memory Memory::borrow(const void* data, std::size_t bytes) {
  Memory memory;
  memory.bytes_ = bytes;
  memory.borrowed_ = true;
  memory.data_ = std::shared_ptr<void>(const_cast<void*>(data), [](void*) {});  // never written: see writable()
  return memory;
}

void* Memory::writable() {
  if (borrowed_ || data_.use_count() > 1) {
    Memory copy = allocate(bytes_);
    if (bytes_ > 0) std::memcpy(copy.data_.get(), data_.get(), bytes_);
    *this = std::move(copy);
  }
  return data_.get();
}

}  // namespace lac::runtime
