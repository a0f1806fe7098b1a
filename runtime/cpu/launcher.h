// Runs the blocks of a kernel on the threads of one run.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "ir/plan/abi.h"
#include "runtime/run.h"
#include "runtime/tensor/memory.h"

namespace lac::runtime {

/// Starts as many worker threads as the machine has, where they do not run yet; they are shared by all runs. Where the
/// system gives none, nothing happens.
void start_threads();

/// Blocks [first, last) of a launch.
struct Blocks {
  std::int64_t first = 0, last = 0;
  std::int64_t count() const { return last - first; }
};

/// Blocks are cut by sizes (and the reach of a matrix, ir/plan/walk.h) and combined in order, so results do not depend
/// on threads. Small launches run on the calling thread; worker threads start with the first launch that is worth them,
/// and where the system gives none, everything runs on the calling thread.
class Launcher {
 public:
  /// Of the options, `threads` (0: as many as the machine has) and what can end the run. They outlive the launcher.
  explicit Launcher(const RunOptions& options);
  ~Launcher();

  /// Between blocks it hears that the run is to end, every few milliseconds; the rest is then left out, the results
  /// mean nothing, and why is returned: whoever looks again might find nothing any more. `ok`: all blocks ran.
  RunCode run(const std::function<void(std::int64_t first, std::int64_t last)>& main, const Blocks& blocks,
              const abi::Work& work);
  /// Memory for partial results, kept from launch to launch. Throws std::bad_alloc, also where the budget of the run
  /// does not allow it.
  std::uint64_t* partials(std::size_t count);

 private:
  struct Threads;
  bool start_pool();

  const RunOptions& options_;
  int threads_;
  std::unique_ptr<Threads> pool_;
  std::vector<std::uint64_t> partials_;
  MemoryBudget::Share share_;  ///< of them
};

}  // namespace lac::runtime
