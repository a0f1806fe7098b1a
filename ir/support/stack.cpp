#include "ir/support/stack.h"

#include <pthread.h>

#include <cstdint>
#include <exception>
#include <memory>

#include "ir/support/resource_error.h"

namespace lac {
namespace {

constexpr std::uintptr_t enough = std::uintptr_t{4} << 20;
constexpr std::size_t helper_stack = std::size_t{16} << 20;

struct Range {
  std::uintptr_t low = 0, high = 0;
};

Range range_of_this_thread() {
  Range range;
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return range;
  void* low = nullptr;
  std::size_t size = 0;
  if (::pthread_attr_getstack(&attributes, &low, &size) == 0) {
    range.low = reinterpret_cast<std::uintptr_t>(low);
    range.high = range.low + size;
  }
  ::pthread_attr_destroy(&attributes);
  return range;
}

/// Whether this stack has enough left; of a stack that is not the thread's own (a coroutine's) nothing is known.
bool is_deep() {
  static thread_local const Range range = range_of_this_thread();
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return here >= range.low + enough && here < range.high;
}

struct Task {
  const std::function<void()>& action;
  std::exception_ptr thrown = nullptr;
};

void* perform(void* given) {
  Task& task = *static_cast<Task*>(given);
  try {
    task.action();
  } catch (...) {
    task.thrown = std::current_exception();
  }
  return nullptr;
}

}  // namespace

void on_deep_stack(const std::function<void()>& action) {
  if (is_deep()) return action();
  Task task{action};
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, helper_stack);
  pthread_t helper;
  const int failed = ::pthread_create(&helper, &attributes, perform, &task);
  ::pthread_attr_destroy(&attributes);
  if (failed != 0)
    throw ResourceError("the stack of this thread is too small to compile on, and no thread can be made");
  ::pthread_join(helper, nullptr);
  if (task.thrown) std::rethrow_exception(task.thrown);
}

}  // namespace lac
