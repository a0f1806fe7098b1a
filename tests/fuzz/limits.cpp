#include "tests/fuzz/limits.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> largest_block = lac::fuzz::large_block;

void* block_or_throw(void* block) {
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace

namespace lac::fuzz {

BlockLimit::BlockLimit(std::size_t bytes) : before_(largest_block.exchange(bytes)) {}
BlockLimit::~BlockLimit() { largest_block = before_; }

}  // namespace lac::fuzz

// Linked with --wrap=calloc: the tensors of the runtime come from there.
extern "C" void* __real_calloc(std::size_t count, std::size_t bytes);
extern "C" void* __wrap_calloc(std::size_t count, std::size_t bytes) {
  return bytes != 0 && count > largest_block / bytes ? nullptr : __real_calloc(count, bytes);
}

void* operator new(std::size_t bytes) {
  return block_or_throw(bytes > largest_block ? nullptr : std::malloc(bytes == 0 ? 1 : bytes));
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
