#include "runtime/cpu/launcher.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace lac::runtime {
namespace {

// Waking a worker costs some microseconds: about what one thread needs for this many bytes and operations.
constexpr std::int64_t smallest_parallel_work = 1 << 19;

bool is_worth_threads(const abi::Work& work) {
  const std::int64_t bytes = work.matrix_read + work.vector_read + work.matrix_written + work.vector_written;
  return bytes + work.flops >= smallest_parallel_work;
}

}  // namespace

struct Launcher::Threads {
  explicit Threads(int count)
      : limit(tbb::global_control::max_allowed_parallelism,
              static_cast<std::size_t>(std::max(count, tbb::info::default_concurrency()))),
        arena(count) {}
  tbb::global_control limit;  // more threads than cores are allowed where they are asked for
  tbb::task_arena arena;
};

Launcher::Launcher(int threads) : threads_(threads) {}
Launcher::~Launcher() = default;

void Launcher::run(abi::KernelFunction main, const std::uint64_t* slots, std::int64_t blocks, const abi::Work& work) {
  if (threads_ == 1 || blocks < 2 || !is_worth_threads(work)) return main(slots, 0, blocks);
  if (threads_ == 0) threads_ = tbb::info::default_concurrency();
  if (pool_ == nullptr) pool_ = std::make_unique<Threads>(threads_);
  pool_->arena.execute([&] {
    // Static: a thread gets the same part of every vector in every kernel, and finds it in its cache.
    tbb::parallel_for(
        tbb::blocked_range<std::int64_t>(0, blocks),
        [&](const tbb::blocked_range<std::int64_t>& part) { main(slots, part.begin(), part.end()); },
        tbb::static_partitioner());
  });
}

std::uint64_t* Launcher::partials(std::size_t count) {
  if (partials_.size() < count) partials_.resize(count);
  return partials_.data();
}

}  // namespace lac::runtime
