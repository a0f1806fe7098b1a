#include "runtime/steps/dense/lapack.h"

#include <dlfcn.h>
#include <sched.h>
#include <sys/mman.h>

#include <mutex>
#include <new>

#include "ir/support/resource_error.h"

namespace lac::runtime::lapack {
namespace {

// OpenBLAS maps one such buffer for each thread that is inside a call, keeps it, and tries for ever where it gets none.
constexpr std::size_t call_buffer_bytes = std::size_t{160} << 20;

void* open_library(const char* file) {
  void* library = ::dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) throw ResourceError(std::string(::dlerror()) + "; the package libopenblas0 provides it");
  return library;
}

template <class Signature>
Signature* symbol_in(void* library, const char* name) {
  void* symbol = ::dlsym(library, name);
  if (symbol == nullptr) throw ResourceError(std::string("no function ") + name + " in libopenblas.so.0");
  return reinterpret_cast<Signature*>(symbol);
}

/// Keeps the calling thread, and no other, on one processor: OpenBLAS starts a thread for every processor that it sees
/// while it is loaded.
class OnOneProcessor {
 public:
  OnOneProcessor() : known_(::sched_getaffinity(0, sizeof before_, &before_) == 0) {
    if (!known_) return;
    int first = 0;
    while (first < CPU_SETSIZE && !CPU_ISSET(first, &before_)) ++first;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    known_ = ::sched_setaffinity(0, sizeof one, &one) == 0;
  }
  ~OnOneProcessor() {
    if (known_) ::sched_setaffinity(0, sizeof before_, &before_);
  }
  OnOneProcessor(const OnOneProcessor&) = delete;
  OnOneProcessor& operator=(const OnOneProcessor&) = delete;

 private:
  cpu_set_t before_;
  bool known_;
};

struct Library {
  void* handle = nullptr;
  int (*threads)() = nullptr;
  void (*set_threads)(int) = nullptr;
};

Library load() {
  const OnOneProcessor alone;
  void* blas = open_library("libopenblas.so.0");
  return {blas, symbol_in<int()>(blas, "openblas_get_num_threads"),
          symbol_in<void(int)>(blas, "openblas_set_num_threads")};
}

const Library& library() {
  static const Library loaded = load();
  return loaded;
}

bool has_memory(std::size_t bytes) {
  void* probe = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (probe == MAP_FAILED) return false;
  ::munmap(probe, bytes);
  return true;
}

/// The calls that go on in this process, and what the host had chosen before the first of them.
struct Calls {
  std::mutex mutex;
  int running = 0;
  int buffers = 0;  ///< of OpenBLAS, for as many calls as have gone on at once
  int threads = 1;
};

Calls& calls() {
  static Calls state;
  return state;
}

}  // namespace

Call::Call() {
  const Library& blas = library();
  Calls& state = calls();
  const std::lock_guard lock(state.mutex);
  if (state.running >= state.buffers) {
    if (!has_memory(call_buffer_bytes)) throw std::bad_alloc();
    state.buffers = state.running + 1;
  }
  if (state.running++ > 0) return;
  state.threads = blas.threads();
  if (state.threads != 1) blas.set_threads(1);
}

Call::~Call() {
  const Library& blas = library();
  Calls& state = calls();
  const std::lock_guard lock(state.mutex);
  if (--state.running > 0) return;
  if (state.threads != 1) blas.set_threads(state.threads);
}

void* Call::function(const char* name) const {
  return reinterpret_cast<void*>(symbol_in<void()>(library().handle, name));
}

bool fits(const Tensor& tensor) {
  constexpr std::int64_t limit = std::numeric_limits<int>::max();
  return tensor.rows() <= limit && tensor.cols() <= limit;
}

}  // namespace lac::runtime::lapack
