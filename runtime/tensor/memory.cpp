#include "runtime/tensor/memory.h"

#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "runtime/tensor/blocks.h"

namespace lac::runtime {
namespace {

thread_local std::shared_ptr<MemoryBudget> thread_budget;

}  // namespace

bool MemoryBudget::take(std::size_t bytes) {
  const bool countable = bytes <= static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max() / 2);
  const auto count = countable ? static_cast<std::int64_t>(bytes) : 0;
  if (countable && held_.fetch_add(count) <= limit_ - count) return true;
  held_.fetch_sub(count);
  refused_.store(true);
  return false;
}

const std::shared_ptr<MemoryBudget>& MemoryBudget::current() { return thread_budget; }

bool MemoryBudget::Share::take(std::size_t bytes) {
  if (!budget_) return true;
  if (!budget_->take(bytes)) return false;
  bytes_ += bytes;
  return true;
}

void MemoryBudget::Share::give_back() {
  if (budget_) budget_->give_back(std::exchange(bytes_, 0));
}

MemoryBudget::Share& MemoryBudget::Share::operator=(Share&& other) noexcept {
  give_back();
  budget_ = std::move(other.budget_);
  bytes_ = std::exchange(other.bytes_, 0);
  return *this;
}

MemoryBudget::Scope::Scope(std::shared_ptr<MemoryBudget> budget)
    : previous_(std::exchange(thread_budget, std::move(budget))) {}
MemoryBudget::Scope::~Scope() { thread_budget = std::move(previous_); }

// calloc hands out fresh pages untouched: a large matrix costs nothing until it is written, and then in the threads
// that write it.
Memory Memory::allocate(std::size_t bytes) {
  Memory memory;
  memory.bytes_ = bytes;
  if (bytes == 0) return memory;
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) throw std::bad_alloc();
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  std::shared_ptr<MemoryBudget> budget = thread_budget;
  if (budget && !budget->take(rounded)) throw std::bad_alloc();
  void* block = std::calloc(1, rounded + alignment);
  if (block == nullptr && kept_bytes() > 0) {
    drop_kept_blocks();
    block = std::calloc(1, rounded + alignment);
  }
  if (block == nullptr) {
    if (budget) budget->give_back(rounded);
    throw std::bad_alloc();
  }
  std::size_t space = rounded + alignment;
  void* aligned = block;
  std::align(alignment, rounded, aligned, space);
  memory.data_ = std::shared_ptr<void>(aligned, [block, rounded, budget = std::move(budget)](void*) {
    std::free(block);
    if (budget) budget->give_back(rounded);
  });
  return memory;
}

// The bytes up to the next multiple of `alignment` are zero all the same.
Memory Memory::for_writing(std::size_t bytes) {
  if (bytes < large_block || bytes > std::numeric_limits<std::size_t>::max() / 2) return allocate(bytes);
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  MemoryBudget::Share share;
  if (!share.take(rounded)) throw std::bad_alloc();
  void* block = take_block(rounded);
  if (block == nullptr) throw std::bad_alloc();
  return adopt(block, rounded, bytes, std::move(share));
}

Memory Memory::adopt(void* block, std::size_t capacity, std::size_t bytes, MemoryBudget::Share share) {
  const auto give_back = [capacity](void* taken) { give_back_block(taken, capacity); };
  std::unique_ptr<void, decltype(give_back)> owned(block, give_back);
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  std::memset(static_cast<char*>(block) + bytes, 0, rounded - bytes);
  auto shared = std::make_shared<MemoryBudget::Share>(std::move(share));
  Memory memory;
  memory.bytes_ = bytes;
  memory.data_ = std::shared_ptr<void>(owned.release(), [give_back, shared](void* taken) { give_back(taken); });
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
    Memory copy = for_writing(bytes_);
    if (bytes_ > 0) std::memcpy(copy.data_.get(), data_.get(), bytes_);
    *this = std::move(copy);
  }
  return data_.get();
}

}  // namespace lac::runtime
