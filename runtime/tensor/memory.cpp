#include "runtime/tensor/memory.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace lac::runtime {

Memory Memory::allocate(std::size_t bytes) {
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  Memory memory;
  memory.bytes_ = bytes;
  if (rounded == 0) return memory;
  void* data = std::aligned_alloc(alignment, rounded);
  if (data == nullptr) throw std::bad_alloc();
  std::memset(data, 0, rounded);
  memory.data_ = std::shared_ptr<void>(data, std::free);
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
