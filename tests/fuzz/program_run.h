// A run of a graph or a program within the limits of an input.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <string>
#include <thread>

#include "runtime/run.h"
#include "tests/fuzz/limits.h"

namespace lac::fuzz {

/// Interrupts a run that takes too long.
class Watchdog {
 public:
  static constexpr auto time_limit = std::chrono::milliseconds(300);

  Watchdog() : thread_([this] { watch(); }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  const std::atomic<bool>* flag() const { return &interrupt_; }

 private:
  void watch() {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, time_limit, [this] { return done_; })) interrupt_ = true;
  }

  std::atomic<bool> interrupt_ = false;
  bool done_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
};

struct Outcome {
  runtime::RunStatus status;
  std::string text;  ///< what it printed

  /// Whether what happened says what the program means: it was not cut short by a limit.
  bool has_result() const { return status.code == runtime::RunCode::ok || status.code == runtime::RunCode::error; }
};

inline constexpr std::size_t largest_block = std::size_t{512} << 10;  // also keeps the work of one op short

/// `execute` takes RunOptions and gives a RunResult. An internal error ends the process.
template <class Execute>
Outcome limited_run(Execute&& execute) {
  const Watchdog watchdog;
  const BlockLimit limit(largest_block);
  Outcome outcome;
  runtime::RunOptions options;
  options.out = [&](std::string_view text) {
    if (outcome.text.size() < largest_block / 4) outcome.text += text;
  };
  options.interrupt = watchdog.flag();
  options.threads = 1;
  try {
    outcome.status = execute(options).status;
  } catch (const std::bad_alloc&) {  // before the first op
    outcome.status.code = runtime::RunCode::out_of_memory;
  }
  if (outcome.status.code == runtime::RunCode::internal_error) {
    std::fprintf(stderr, "%s\n", outcome.status.message.c_str());
    std::abort();
  }
  return outcome;
}

}  // namespace lac::fuzz
