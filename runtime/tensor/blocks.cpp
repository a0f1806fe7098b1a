#include "runtime/tensor/blocks.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "runtime/tensor/memory.h"

namespace lac::runtime {
namespace {

class Kept {
 public:
  void* take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto found = blocks_.find(bytes);
    if (found == blocks_.end() || found->second.empty()) return nullptr;
    void* block = found->second.back();
    found->second.pop_back();
    bytes_ -= bytes;
    return block;
  }

  bool keep(void* block, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes_ + bytes > most_kept) return false;
    blocks_[bytes].push_back(block);
    bytes_ += bytes;
    return true;
  }

  void drop() {
    const std::lock_guard lock(mutex_);
    for (const auto& [bytes, blocks] : blocks_)
      for (void* block : blocks) std::free(block);
    blocks_.clear();
    bytes_ = 0;
  }

  std::size_t bytes() {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::size_t, std::vector<void*>> blocks_;  ///< by their bytes
  std::size_t bytes_ = 0;
};

/// Never destroyed: results may outlive everything.
Kept& kept() {
  static Kept* const blocks = new Kept;
  return *blocks;
}

/// Whole pages inside of it.
void lend_to_system(void* block, std::size_t bytes) {
  constexpr std::uintptr_t page = 4096;
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  const std::uintptr_t first = (begin + page - 1) / page * page, behind = (begin + bytes) / page * page;
  madvise(reinterpret_cast<void*>(first), behind - first, MADV_FREE);  // a refusal changes nothing
}

}  // namespace

void ask_for_large_pages(void* memory, std::size_t bytes) {
  constexpr std::uintptr_t page = 4096;
  if (bytes < large_block) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory), first = (begin + page - 1) / page * page;
  madvise(reinterpret_cast<void*>(first), begin + bytes - first, MADV_HUGEPAGE);  // a refusal changes nothing
}

void* take_block(std::size_t bytes) {
  if (bytes < large_block) return std::aligned_alloc(Memory::alignment, bytes);
  if (void* block = kept().take(bytes)) return block;
  void* block = std::aligned_alloc(Memory::alignment, bytes);
  if (block == nullptr) {
    drop_kept_blocks();
    block = std::aligned_alloc(Memory::alignment, bytes);
  }
  if (block != nullptr) ask_for_large_pages(block, bytes);
  return block;
}

void give_back_block(void* block, std::size_t bytes) {
  if (block == nullptr) return;
  if (bytes >= large_block) {
    lend_to_system(block, bytes);
    if (kept().keep(block, bytes)) return;
  }
  std::free(block);
}

std::size_t kept_bytes() { return kept().bytes(); }
void drop_kept_blocks() { kept().drop(); }

}  // namespace lac::runtime
