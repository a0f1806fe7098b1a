#include "driver/native/background.h"

#include <sys/resource.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "driver/native/code_generator.h"

namespace lac::driver {
namespace {

// What the code generator and LLVM take of the address space. Where LLVM finds no memory it ends the process.
constexpr std::uint64_t room_to_compile = std::uint64_t{1} << 29;

/// False under a limit (`ulimit -v`) that what this process has already leaves no such room.
bool has_room_to_compile() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return true;
  std::ifstream sizes("/proc/self/statm");
  std::uint64_t pages = 0;
  if (!(sizes >> pages)) return false;
  const std::uint64_t taken = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return taken < limit.rlim_cur && limit.rlim_cur - taken > room_to_compile;
}

class Worker;
Worker& worker();

class Worker {
 public:
  void add(std::function<void()> task, AtEnd at_end) {
    {
      const std::lock_guard lock(mutex_);
      if (ends_) return;
      if (!thread_.joinable() && !start()) return;
      tasks_.push_back({std::move(task), at_end});
      awaited_ += at_end == AtEnd::is_awaited;
    }
    wake_.notify_one();
  }

  void wait_for_awaited() {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return awaited_ == 0; });
  }

  /// Waits for the task at hand; the others are dropped.
  void end() {
    std::thread last;  // two threads may end the process
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
      tasks_.clear();
      awaited_ = 0;
      last = std::move(thread_);
    }
    wake_.notify_one();
    if (last.joinable()) last.join();
  }

  bool busy() {
    const std::lock_guard lock(mutex_);
    return works_;
  }

 private:
  bool start() {
    // For an `exit` of a thread that is not the first one, which EndOfMain does not see: it waits, but perhaps behind
    // what LLVM made meanwhile. Once more when the code generator is open, see `work`.
    if (!std::exchange(registered_, true)) std::atexit(end_worker);
    try {
      thread_ = std::thread([this] { work(); });
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }

  void work();
  static void end_worker();

  struct Task {
    std::function<void()> run;
    AtEnd at_end;
  };

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::deque<Task> tasks_;  ///< under `mutex_`, as what follows
  int awaited_ = 0;         ///< tasks that are not done
  bool ends_ = false, works_ = false, registered_ = false;
  std::thread thread_;
};

// Never destroyed: a run may ask for something while the process ends.
Worker& worker() {
  static Worker* const worker = new Worker;
  return *worker;
}

void Worker::end_worker() { worker().end(); }

void Worker::work() {
  {
    const std::lock_guard lock(mutex_);
    works_ = true;
  }
  // What the code generator leaves to be done when the process ends is registered when it is opened; the end of this
  // thread has to come before that, so it is registered after it.
  static_cast<void>(code_generator());
  std::atexit(end_worker);
  std::unique_lock lock(mutex_);
  for (;;) {
    works_ = false;
    wake_.wait(lock, [this] { return ends_ || !tasks_.empty(); });
    if (ends_) return;
    const Task task = std::move(tasks_.front());
    tasks_.pop_front();
    works_ = true;
    lock.unlock();
    task.run();
    lock.lock();
    if (task.at_end == AtEnd::is_awaited && awaited_ > 0 && --awaited_ == 0) done_.notify_all();
  }
}

/// Ends the thread when the first thread of the process returns from `main` or calls `exit`: thread-locals of the
/// thread that does so are destroyed before any static object is. What LLVM makes on first use is destroyed before what
/// was registered with `atexit` ahead of it, so that alone would come too late.
struct EndOfMain {
  ~EndOfMain() { worker().end(); }
};

/// Once, when this library is loaded: programs may run on other threads only. Where another thread loads it nobody
/// waits before `atexit` does.
[[maybe_unused]] const bool main_is_watched = [] {
  if (::gettid() != ::getpid()) return false;
  static thread_local EndOfMain end;
  static_cast<void>(end);
  return true;
}();

}  // namespace

void in_background(std::function<void()> task, AtEnd at_end) {
  if (has_room_to_compile()) worker().add(std::move(task), at_end);
}

void end_process(int status) {
  std::fflush(nullptr);
  if (status == 0) worker().wait_for_awaited();
  if (!worker().busy()) std::exit(status);
  ::_exit(status);
}

}  // namespace lac::driver
