#include "runtime/tensor/blocks.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <iterator>
#include <mutex>

#include "runtime/tensor/memory.h"

namespace lac::runtime {
namespace {

constexpr std::uintptr_t page = 4096, large_page = std::uintptr_t{2} << 20;

constexpr std::uintptr_t up_to(std::uintptr_t address, std::uintptr_t alignment) {
  return (address + alignment - 1) / alignment * alignment;
}

struct Block {
  void* memory;
  std::size_t bytes;
};

void unmap(std::uintptr_t begin, std::uintptr_t behind) {
  if (begin < behind) munmap(reinterpret_cast<void*>(begin), behind - begin);
}

/// How far into its first page the next block begins. A kernel goes through many matrices at the same place of each,
/// and a cache has few ways for addresses that are alike in their low bits: matrices begin in different sets.
std::uintptr_t next_colour() {
  constexpr std::uintptr_t colours = 8, step = page + 576;
  static std::atomic<std::uintptr_t> given = 0;
  return given++ % colours * step;
}

/// Pages of their own, from the first of a large one on; null where there are none. What malloc has may be pages that
/// were small ones of somebody else before: they stay small, and a kernel that goes through ten such matrices takes
/// half as long again.
void* map_block(std::size_t bytes) {
  const std::uintptr_t colour = next_colour();
  const std::size_t wanted = up_to(colour + bytes, page), room = wanted + large_page - page;
  void* mapped = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  const auto first = reinterpret_cast<std::uintptr_t>(mapped), begin = up_to(first, large_page);
  unmap(first, begin);
  unmap(begin + wanted, first + room);
  ask_for_large_pages(reinterpret_cast<void*>(begin), colour + bytes);
  return reinterpret_cast<void*>(begin + colour);
}

void unmap_block(const Block& block) {
  const auto memory = reinterpret_cast<std::uintptr_t>(block.memory), begin = memory / large_page * large_page;
  unmap(begin, up_to(memory + block.bytes, page));
}

/// Whole pages inside of it.
void lend_to_system(void* block, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  const std::uintptr_t first = up_to(begin, page), behind = (begin + bytes) / page * page;
  madvise(reinterpret_cast<void*>(first), behind - first, MADV_FREE);  // a refusal changes nothing
}

/// The system takes back pages, not addresses: where those are limited nothing stays.
std::size_t most_here() {
  rlimit addresses = {};
  const bool limited = getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY;
  return limited ? 0 : most_kept;
}

/// The newest last.
class Kept {
 public:
  void* take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(blocks_.rbegin(), blocks_.rend(), [&](const Block& block) { return block.bytes == bytes; });
    if (found == blocks_.rend()) return nullptr;
    void* memory = found->memory;
    bytes_ -= bytes;
    blocks_.erase(std::next(found).base());
    return memory;
  }

  /// The oldest go where there are too many.
  void keep(const Block& block) {
    const std::size_t most = most_here();
    const std::lock_guard lock(mutex_);
    if (block.bytes > most) return unmap_block(block);
    while (bytes_ + block.bytes > most) {
      unmap_block(blocks_.front());
      bytes_ -= blocks_.front().bytes;
      blocks_.pop_front();
    }
    lend_to_system(block.memory, block.bytes);  // before anybody takes it again
    blocks_.push_back(block);
    bytes_ += block.bytes;
  }

  void drop() {
    const std::lock_guard lock(mutex_);
    for (const Block& block : blocks_) unmap_block(block);
    blocks_.clear();
    bytes_ = 0;
  }

  std::size_t bytes() {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }

 private:
  std::mutex mutex_;
  std::deque<Block> blocks_;
  std::size_t bytes_ = 0;
};

/// Never destroyed: results may outlive everything.
Kept& kept() {
  static Kept* const blocks = new Kept;
  return *blocks;
}

}  // namespace

void ask_for_large_pages(void* memory, std::size_t bytes) {
  if (bytes < large_block) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory), first = up_to(begin, page);
  madvise(reinterpret_cast<void*>(first), begin + bytes - first, MADV_HUGEPAGE);  // a refusal changes nothing
}

void* take_block(std::size_t bytes) {
  if (bytes < large_block) return std::aligned_alloc(Memory::alignment, bytes);
  if (void* block = kept().take(bytes)) return block;
  void* block = map_block(bytes);
  if (block != nullptr) return block;
  drop_kept_blocks();
  return map_block(bytes);
}

void give_back_block(void* block, std::size_t bytes) {
  if (block == nullptr) return;
  if (bytes >= large_block) kept().keep({block, bytes});
  else std::free(block);
}

std::size_t kept_bytes() { return kept().bytes(); }
void drop_kept_blocks() { kept().drop(); }

}  // namespace lac::runtime
