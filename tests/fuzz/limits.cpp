// What a fuzz target may use: blocks of at most 64 MB, so that programs that ask for more meet std::bad_alloc as they
// would on a small machine.
#include <cstdlib>
#include <new>

namespace {
constexpr std::size_t largest_block = std::size_t{64} << 20;
}

extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1:max_allocation_size_mb=64:detect_leaks=0";
}
extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1:halt_on_error=1"; }

void* operator new(std::size_t bytes) {
  void* block = bytes > largest_block ? nullptr : std::malloc(bytes);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
