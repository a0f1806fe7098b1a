// What ends a run from outside, and how work that takes long hears of it.
#pragma once

#include <cstdint>
#include <exception>

#include "runtime/run.h"

namespace lac::runtime {

/// Nanoseconds of a monotonic clock that moves every few milliseconds: cheap enough to be read in every trip.
std::int64_t coarse_now();

/// Whether anything can end a run with these options; where nothing can, work need not be cut into parts.
inline bool can_be_stopped(const RunOptions& options) { return options.interrupt != nullptr || options.deadline != 0; }

/// `interrupted` or `time_limit` where the run is to end, else `ok`. Looked at in every trip of a loop, before and
/// after every launch and step, and inside those that take long.
inline RunCode stop_requested(const RunOptions& options) {
  if (options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed)) return RunCode::interrupted;
  if (options.deadline != 0 && coarse_now() >= options.deadline) return RunCode::time_limit;
  return RunCode::ok;
}

/// RunStatus::message of a run that ended so.
inline const char* stop_text(RunCode code) {
  return code == RunCode::time_limit ? "the time limit is reached" : "interrupted";
}

/// Leaves a step in the middle; the executor makes it the status of the run.
struct Stopped : std::exception {
  explicit Stopped(RunCode reason) : code(reason) {}
  const char* what() const noexcept override { return stop_text(code); }
  RunCode code;
};

/// While it lives, `poll_stop` on this thread is about the run with these options. Steps call functions that know of no
/// run, down to comparisons, so it is not handed through.
class StopScope {
 public:
  explicit StopScope(const RunOptions& options);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  const RunOptions* previous_;
};

/// Throws Stopped where the run of this thread is to end. Without a StopScope it does nothing.
void poll_stop();

/// A look every few thousand calls: for the innermost loops of steps.
class StopPoll {
 public:
  void operator()() {
    if ((++calls_ & 0xfffU) == 0) poll_stop();
  }

 private:
  unsigned calls_ = 0;
};

}  // namespace lac::runtime
