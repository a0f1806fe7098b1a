#include "driver/native/background.h"

#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>

#include "driver/native/code_generator.h"

namespace lac::driver {
namespace {

class Worker {
 public:
  void add(std::function<void()> task) {
    {
      const std::lock_guard lock(mutex_);
      if (ends_) return;
      if (!thread_.joinable() && !start()) {
        task();  // a limit on processes
        return;
      }
      tasks_.push_back(std::move(task));
    }
    wake_.notify_one();
  }

  /// Waits for the task at hand; the others are dropped.
  void end() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
      tasks_.clear();
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

  bool busy() {
    const std::lock_guard lock(mutex_);
    return works_;
  }

 private:
  bool start() {
    try {
      thread_ = std::thread([this] { work(); });
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }

  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;  ///< under `mutex_`, as what follows
  bool ends_ = false, works_ = false;
  std::thread thread_;
};

// Never destroyed: a run may ask for something while the process ends.
Worker& worker() {
  static Worker* const worker = new Worker;
  return *worker;
}

void Worker::work() {
  {
    const std::lock_guard lock(mutex_);
    works_ = true;
  }
  // What the code generator leaves to be done when the process ends is registered when it is opened; the end of this
  // thread has to come before that, so it is registered after it.
  static_cast<void>(code_generator());
  std::atexit([] { worker().end(); });
  std::unique_lock lock(mutex_);
  for (;;) {
    works_ = false;
    wake_.wait(lock, [this] { return ends_ || !tasks_.empty(); });
    if (ends_) return;
    const std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    works_ = true;
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace

void in_background(std::function<void()> task) { worker().add(std::move(task)); }

void end_process(int status) {
  if (!worker().busy()) std::exit(status);
  std::fflush(nullptr);
  ::_exit(status);
}

}  // namespace lac::driver
