#include "runtime/stop.h"

#include <time.h>

namespace lac::runtime {
namespace {

thread_local const RunOptions* running = nullptr;

}  // namespace

std::int64_t coarse_now() {
  timespec now{};
#ifdef CLOCK_MONOTONIC_COARSE
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
#else
  clock_gettime(CLOCK_MONOTONIC, &now);
#endif
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

StopScope::StopScope(const RunOptions& options) : previous_(running) { running = &options; }
StopScope::~StopScope() { running = previous_; }

void poll_stop() {
  if (running == nullptr) return;
  if (const RunCode code = stop_requested(*running); code != RunCode::ok) throw Stopped(code);
}

}  // namespace lac::runtime
