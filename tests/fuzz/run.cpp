// Programs: lowered, executed by the oracle, optimised for the CPU with the verifier after each pass, and executed as
// the plan that comes out. Both runs must end in the same way.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <thread>

#include "passes/pass_manager.h"
#include "runtime/interp/interpreter.h"
#include "tests/fuzz/limits.h"
#include "tests/fuzz/program_text.h"

using namespace lac;

namespace {

constexpr auto time_limit = std::chrono::milliseconds(300);
constexpr std::size_t most_ops = 5'000;
constexpr std::size_t largest_block = std::size_t{512} << 10;  // also keeps the work of one op short

/// Interrupts a run that takes too long.
class Watchdog {
 public:
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

runtime::RunStatus run(const Graph& graph) {
  const Watchdog watchdog;
  const fuzz::BlockLimit limit(largest_block);
  runtime::RunOptions options;
  std::size_t printed = 0;
  options.out = [&](std::string_view text) { printed += text.size(); };
  options.interrupt = watchdog.flag();
  options.threads = 1;
  runtime::RunStatus status;
  try {
    status = interpret(graph, {}, options).status;
  } catch (const std::bad_alloc&) {  // before the first op
    status.code = runtime::RunCode::out_of_memory;
  }
  if (status.code == runtime::RunCode::internal_error) {
    std::fprintf(stderr, "%s\n", status.message.c_str());
    std::abort();
  }
  return status;
}

bool has_result(const runtime::RunStatus& status) {
  return status.code == runtime::RunCode::ok || status.code == runtime::RunCode::error;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::WorkLimit limit;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (text.find("write") != std::string::npos) return 0;  // nothing is written to the disk
  fuzz::Program program(text, false);
  if (!program.lowered || program.diagnostics.has_errors()) return 0;
  Graph& graph = program.lowered->graph;
  if (!graph.parameters.empty() || graph.ops.size() > most_ops) return 0;
  const runtime::RunStatus before = run(graph);
  passes::ManagerOptions options;
  options.verify = true;
  if (!passes::run_pipeline(graph, *passes::find_pipeline("cpu"), options).ok()) std::abort();
  const runtime::RunStatus after = run(graph);
  if (has_result(before) && has_result(after) && before.code != after.code) {
    std::fprintf(stderr, "as lowered: %s\nas planned: %s\n", before.message.c_str(), after.message.c_str());
    std::abort();
  }
  return 0;
}
