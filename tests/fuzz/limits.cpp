// Linked with --wrap=calloc, where the tensors of the runtime come from, --wrap=aligned_alloc and --wrap=mmap, the pool
// of compiled programs, and --wrap=_Znwm, which is operator new: the sanitizer's own functions stay behind these.
#include "tests/fuzz/limits.h"

#include <sys/mman.h>
#include <sys/time.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> largest_block = lac::fuzz::large_block;

void set_timer(int seconds) {
  const itimerval timer{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

}  // namespace

namespace lac::fuzz {

BlockLimit::BlockLimit(std::size_t bytes) : before_(largest_block.exchange(bytes)) {}
BlockLimit::~BlockLimit() { largest_block = before_; }

WorkLimit::WorkLimit() {
  std::signal(SIGPROF, [](int) { std::abort(); });
  set_timer(most_seconds);
}
WorkLimit::~WorkLimit() { set_timer(0); }

}  // namespace lac::fuzz

extern "C" {

void* __real_calloc(std::size_t count, std::size_t bytes);
void* __real_aligned_alloc(std::size_t alignment, std::size_t bytes);
void* __real_mmap(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset);
void* __real__Znwm(std::size_t bytes);

void* __wrap_calloc(std::size_t count, std::size_t bytes) {
  return bytes != 0 && count > largest_block / bytes ? nullptr : __real_calloc(count, bytes);
}

void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return bytes > largest_block ? nullptr : __real_aligned_alloc(alignment, bytes);
}

void* __wrap_mmap(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset) {
  if (bytes > largest_block) return MAP_FAILED;
  return __real_mmap(address, bytes, protection, flags, file, offset);
}

void* __wrap__Znwm(std::size_t bytes) {
  if (bytes > largest_block) throw std::bad_alloc();
  return __real__Znwm(bytes);
}
}
