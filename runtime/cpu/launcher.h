// Runs the blocks of a kernel on the threads of one run.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ir/plan/abi.h"

namespace lac::runtime {

/// Blocks are cut by sizes alone and combined in order, so results do not depend on threads. Small launches run on the
/// calling thread; worker threads start with the first launch that is worth them.
class Launcher {
 public:
  explicit Launcher(int threads);  ///< 0: as many as the machine has
  ~Launcher();

  void run(abi::KernelFunction main, const std::uint64_t* slots, std::int64_t blocks, const abi::Work& work);
  /// Memory for partial results, kept from launch to launch.
  std::uint64_t* partials(std::size_t count);

 private:
  struct Threads;
  int threads_;
  std::unique_ptr<Threads> pool_;
  std::vector<std::uint64_t> partials_;
};

}  // namespace lac::runtime
