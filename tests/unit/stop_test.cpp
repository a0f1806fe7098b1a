// What ends a run from outside is heard inside work that takes long: counted, not timed.
#include "runtime/stop.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <vector>

#include "ir/support/result.h"
#include "runtime/cpu/launcher.h"
#include "runtime/library/library.h"
#include "runtime/tensor/memory.h"

using namespace lac;
using namespace lac::runtime;

namespace {

std::atomic<bool> stop_now;
std::atomic<std::int64_t> blocks_run;

void stop_at_once(const std::uint64_t*, std::int64_t first, std::int64_t last) {
  stop_now = true;
  blocks_run += last - first;
}

std::int64_t blocks_of_a_large_launch(int threads, bool stoppable) {
  stop_now = false;
  blocks_run = 0;
  RunOptions options;
  options.threads = threads;
  if (stoppable) options.interrupt = &stop_now;
  Launcher launcher(options);
  abi::Work work;
  work.flops = std::int64_t{1} << 34;
  launcher.run(stop_at_once, nullptr, 4096, work);
  return blocks_run;
}

}  // namespace

TEST_CASE("a kernel hears between its blocks that the run is to end") {
  CHECK(blocks_of_a_large_launch(1, false) == 4096);
  CHECK(blocks_of_a_large_launch(2, false) == 4096);
  CHECK(blocks_of_a_large_launch(1, true) < 16);
  CHECK(blocks_of_a_large_launch(2, true) < 32);
}

TEST_CASE("a kernel that nothing stops runs all its blocks, however they are cut") {
  for (const int threads : {1, 2}) {
    static std::atomic<std::int64_t> sum;
    sum = 0;
    const std::atomic<bool> never = false;
    RunOptions options;
    options.threads = threads;
    options.interrupt = &never;
    Launcher launcher(options);
    abi::Work work;
    work.flops = std::int64_t{1} << 34;
    launcher.run(
        [](const std::uint64_t*, std::int64_t first, std::int64_t last) {
          for (; first < last; ++first) sum += first;
        },
        nullptr, 1000, work);
    CHECK(sum == 999 * 500);
  }
}

TEST_CASE("a step is left in its innermost loop") {
  const std::atomic<bool> stop = true;
  RunOptions options;
  options.interrupt = &stop;
  StopPoll poll;
  int calls = 0;
  const auto work = [&] {
    for (calls = 0; calls < 100000; ++calls) poll();
  };
  work();  // no run: nothing to hear
  CHECK(calls == 100000);
  const StopScope scope(options);
  CHECK_THROWS_AS(work(), Stopped);
  CHECK(calls <= 4096);
}

TEST_CASE("steps hear the deadline, and name the reason") {
  RunOptions options;
  options.deadline = 1;  // long ago
  const StopScope scope(options);
  std::vector<LibraryWarning> warnings;
  const std::vector<Tensor> operands = {Tensor::dense(Element::real, 5, 1)};
  const ResultType result{Element::real, Storage::dense, 5, 1, {}}, places{Element::integer, Storage::dense, 5, 1, {}};
  const std::vector<ResultType> results = {result, places};
  try {
    static_cast<void>(run_library(LibraryFn::sort, LibraryFn::sort, operands, results, warnings, options));
    FAIL("it ran to its end");
  } catch (const Stopped& stopped) {
    CHECK(stopped.code == RunCode::time_limit);
  }
}

TEST_CASE("a budget counts what is held, whoever frees it") {
  const auto budget = std::make_shared<MemoryBudget>(10000);
  Memory kept;
  {
    const MemoryBudget::Scope scope(budget);
    const Memory first = Memory::allocate(6000);
    CHECK_THROWS_AS(Memory::allocate(6000), std::bad_alloc);
    kept = Memory::allocate(3000);
  }
  CHECK(budget->refused());
  CHECK(budget->take(6900));
  CHECK(!budget->take(200));
  kept = {};
  CHECK(budget->take(200));
  CHECK(!budget->take(SIZE_MAX));
  CHECK(Memory::allocate(100000).size() == 100000);  // outside of the scope nothing counts
}
