#include "runtime/cpu/strip/frame.h"

#include <algorithm>
#include <new>

#include "ir/support/result.h"

namespace lac::runtime {

SlotNumbers::SlotNumbers(const Kernel& kernel) : layout_(slot_layout(kernel)), sizes_(slot_sizes(kernel)) {}

SlotNumber SlotNumbers::of(const Size& size) const {
  if (size.is_constant()) return {size.constant(), -1};
  const auto found = std::ranges::find(sizes_, size);
  if (found == sizes_.end()) throw InternalError("a kernel has no slot for a size");
  return {0, static_cast<std::int32_t>(layout_.first_size + static_cast<std::uint32_t>(found - sizes_.begin()))};
}

namespace {
constexpr std::size_t alignment = 64;
}

void Scratch::Free::operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t(alignment)); }

void* Scratch::take(std::size_t bytes) {
  constexpr std::size_t smallest = 1 << 18;
  bytes = (bytes + alignment - 1) / alignment * alignment;
  std::size_t begin = 0;
  for (Block& block : blocks_) {
    const std::size_t end = begin + block.bytes;
    if (used_ < end && end - std::max(used_, begin) >= bytes) {
      const std::size_t at = std::max(used_, begin);
      used_ = at + bytes;
      return block.memory.get() + (at - begin);
    }
    begin = end;
  }
  const std::size_t size = std::max(bytes, smallest);
  auto* raw = new (std::align_val_t(alignment)) std::byte[size];
  blocks_.push_back({std::unique_ptr<std::byte[], Free>(raw), size});
  used_ = begin + bytes;
  return raw;
}

Scratch& Scratch::of_this_thread() {
  thread_local Scratch scratch;
  return scratch;
}

}  // namespace lac::runtime
