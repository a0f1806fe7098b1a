#include "runtime/cpu/launcher.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <stdexcept>

#include "runtime/stop.h"

namespace lac::runtime {
namespace {

// Waking a worker costs some microseconds: about what one thread needs for this many bytes and operations.
constexpr std::int64_t smallest_parallel_work = 1 << 19;

std::int64_t total(const abi::Work& work) {
  return work.matrix_read + work.vector_read + work.matrix_written + work.vector_written + work.flops;
}

// What one thread does between two looks at what may end the run: some milliseconds for memory, some tenths of a second
// for long chains of functions. More looks would cut the columns that products read (codegen/llvm/kernel/walk.cpp).
constexpr std::int64_t work_between_looks = 1 << 27;

std::int64_t blocks_between_looks(std::int64_t blocks, const abi::Work& work) {
  return std::max<std::int64_t>(1, blocks / (1 + total(work) / work_between_looks));
}

}  // namespace

void start_threads() {
  try {
    tbb::parallel_for(
        0, tbb::info::default_concurrency(), [](int) {}, tbb::static_partitioner());
  } catch (const std::runtime_error&) {  // runs fall back to one thread, see start_pool
  }
}

struct Launcher::Threads {
  explicit Threads(int count)
      : limit(tbb::global_control::max_allowed_parallelism,
              static_cast<std::size_t>(std::max(count, tbb::info::default_concurrency()))),
        arena(count) {
    // TBB starts its threads when they are wanted first, and throws std::runtime_error where the system gives none:
    // here, before a kernel has begun.
    arena.execute([count] {
      tbb::parallel_for(
          0, count, [](int) {}, tbb::static_partitioner());
    });
  }
  tbb::global_control limit;  // more threads than cores are allowed where they are asked for
  tbb::task_arena arena;
};

Launcher::Launcher(const RunOptions& options) : options_(options), threads_(options.threads) {}
Launcher::~Launcher() = default;

RunCode Launcher::run(const std::function<void(std::int64_t, std::int64_t)>& main, const Blocks& blocks,
                      const abi::Work& work) {
  const std::int64_t count = blocks.count();
  const std::int64_t part = can_be_stopped(options_) ? blocks_between_looks(count, work) : count;
  std::atomic<RunCode> heard = RunCode::ok;
  const auto goes_on = [&] {
    if (part == count) return true;
    const RunCode code = stop_requested(options_);
    if (code != RunCode::ok) heard.store(code, std::memory_order_relaxed);
    return heard.load(std::memory_order_relaxed) == RunCode::ok;
  };
  const auto run_blocks = [&](std::int64_t first, std::int64_t last) {
    for (; first < last && goes_on(); first += part) main(first, std::min(first + part, last));
  };
  const auto on_this_thread = [&] {
    run_blocks(blocks.first, blocks.last);
    return heard.load();
  };
  if (threads_ == 1 || count < 2 || total(work) < smallest_parallel_work) return on_this_thread();
  if (threads_ == 0) threads_ = tbb::info::default_concurrency();
  if (pool_ == nullptr && !start_pool()) return on_this_thread();
  pool_->arena.execute([&] {
    // Static: a thread gets the same part of every vector in every kernel, and finds it in its cache.
    tbb::parallel_for(
        tbb::blocked_range<std::int64_t>(blocks.first, blocks.last),
        [&](const tbb::blocked_range<std::int64_t>& range) { run_blocks(range.begin(), range.end()); },
        tbb::static_partitioner());
  });
  return heard.load();
}

bool Launcher::start_pool() {
  try {
    pool_ = std::make_unique<Threads>(threads_);
    return true;
  } catch (const std::runtime_error&) {  // a limit on processes: this run has one thread, and the same results
    threads_ = 1;
    return false;
  }
}

std::uint64_t* Launcher::partials(std::size_t count) {
  if (partials_.size() < count) {
    if (!share_.take((count - partials_.size()) * sizeof partials_[0])) throw std::bad_alloc();
    partials_.resize(count);
  }
  return partials_.data();
}

}  // namespace lac::runtime
