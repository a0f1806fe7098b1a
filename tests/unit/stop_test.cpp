// What ends a run from outside is heard inside work that takes long: counted, not timed.
#include "runtime/stop.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <vector>

#include "ir/support/result.h"
#include "runtime/cpu/launcher.h"
#include "runtime/cpu/pool.h"
#include "runtime/steps/library.h"
#include "runtime/steps/steps.h"
#include "runtime/tensor/convert.h"
#include "runtime/tensor/memory.h"
#include "runtime/thrown.h"
#include "runtime/warnings.h"

using namespace lac;
using namespace lac::runtime;

namespace {

std::atomic<bool> stop_now;
std::atomic<std::int64_t> blocks_run;

void stop_at_once(std::int64_t first, std::int64_t last) {
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
  work.flops = std::int64_t{1} << 37;
  launcher.run(stop_at_once, {0, 4096}, work);
  return blocks_run;
}

}  // namespace

TEST_CASE("a kernel hears between its blocks that the run is to end") {
  CHECK(blocks_of_a_large_launch(1, false) == 4096);
  CHECK(blocks_of_a_large_launch(2, false) == 4096);
  CHECK(blocks_of_a_large_launch(1, true) < 16);
  CHECK(blocks_of_a_large_launch(2, true) < 32);
}

TEST_CASE("a launch tells what it heard, and not what a later look would find") {
  for (const int threads : {1, 2}) {
    stop_now = false;
    RunOptions options;
    options.threads = threads;
    options.interrupt = &stop_now;
    Launcher launcher(options);
    abi::Work work;
    work.flops = std::int64_t{1} << 37;
    const RunCode heard = launcher.run(stop_at_once, {0, 4096}, work);
    stop_now = false;  // as a host does that uses one flag for several runs
    CHECK(heard == RunCode::interrupted);
    CHECK(launcher.run([](std::int64_t, std::int64_t) {}, {0, 4096}, work) == RunCode::ok);
  }
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
    work.flops = std::int64_t{1} << 37;
    launcher.run(
        [](std::int64_t first, std::int64_t last) {
          for (; first < last; ++first) sum += first;
        },
        {0, 1000}, work);
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
    static_cast<void>(run_library(LibraryFn::sort, operands, results, warnings, options));
    FAIL("it ran to its end");
  } catch (const Stopped& stopped) {
    CHECK(stopped.code == RunCode::time_limit);
  }
}

namespace {

/// Whether the step itself hears of an interrupt: without the looks before and after it.
bool is_left(steps::Step step, const std::vector<Tensor>& operands, const std::vector<ResultType>& results) {
  const std::atomic<bool> stop = true;
  RunOptions options;
  options.interrupt = &stop;
  const StopScope scope(options);
  std::vector<LibraryWarning> warnings;
  try {
    static_cast<void>(step({operands, results, warnings}));
  } catch (const Stopped&) {
    return true;
  }
  return false;
}

ResultType dense(std::int64_t rows, std::int64_t cols) { return {Element::real, Storage::dense, rows, cols, {}}; }

/// Tridiagonal, and with a corner: no band.
Tensor sparse_matrix(bool corner) {
  constexpr std::int64_t n = 20;
  Tensor full = Tensor::dense(Element::real, n, n);
  for (std::int64_t i = 0; i < n; ++i) {
    full.set_stored_value(i * n + i, 4);
    if (i > 0) full.set_stored_value(i * n + i - 1, -1);
    if (i > 0) full.set_stored_value((i - 1) * n + i, -1);
  }
  if (corner) full.set_stored_value(n - 1, -1);
  if (corner) full.set_stored_value((n - 1) * n, -1);
  return to_csr(full);
}

}  // namespace

TEST_CASE("many short lines are left as one long line is") {
  const Tensor wide = Tensor::dense(Element::real, 5, 2000), number = Tensor::scalar(1);
  const ResultType same = dense(5, 2000);
  CHECK(is_left(steps::sort, {wide}, {same, same}));
  CHECK(is_left(steps::filter, {number, number, wide, Tensor::dense(Element::real, 0, 2000)}, {same, dense(0, 2000)}));
  const Tensor rows = Tensor::dense(Element::real, 2, 5000);  // two rows alike: one comparison, all columns
  CHECK(is_left(steps::sort_rows, {rows, Tensor::dense(Element::real, 0, 0)}, {dense(2, 1)}));
}

TEST_CASE("steps of LAPACK and sparse factorisations look before and between their parts") {
  Tensor square = Tensor::dense(Element::real, 3, 3);
  for (std::int64_t k = 0; k < 9; ++k) square.set_stored_value(k, k % 4 == 0 ? 4 : static_cast<double>(k % 3));
  const Tensor column = Tensor::dense(Element::real, 3, 1), none = Tensor::scalar(0);
  CHECK(is_left(steps::svd, {square}, {dense(3, 3), dense(3, 1), dense(3, 3)}));
  CHECK(is_left(steps::singular_values, {square}, {dense(3, 1)}));
  CHECK(is_left(steps::eigenvalues, {square, none}, {dense(3, 1)}));
  const auto diagonal_wins = [](std::int64_t n) {
    Tensor a = Tensor::dense(Element::real, n, n);
    for (std::int64_t k = 0; k < a.count(); ++k) a.set_stored_value(k, k % (n + 1) == 0 ? 9 : 1.0 / (1 + k));
    return a;
  };
  const Tensor small = diagonal_wins(12), larger = diagonal_wins(48);  // small ones need no LAPACK, and look as well
  CHECK(is_left(steps::solve, {small, Tensor::dense(Element::real, 12, 1)}, {dense(12, 1)}));
  CHECK(is_left(steps::solve, {larger, Tensor::dense(Element::real, 48, 1)}, {dense(48, 1)}));
  CHECK(is_left(steps::inverse, {larger}, {dense(48, 48), dense(1, 1)}));
  CHECK(is_left(steps::qr, {square}, {dense(3, 3), dense(3, 3)}));
  const ResultType csr{Element::real, Storage::csr, 20, 20, {}};
  for (const bool corner : {false, true}) {
    const Tensor a = sparse_matrix(corner), b = Tensor::dense(Element::real, 20, 1);
    CHECK(is_left(steps::sparse_solve, {a, b}, {dense(20, 1)}));
    CHECK(is_left(steps::sparse_inverse, {a}, {csr}));
    CHECK(is_left(steps::sparse_det, {a}, {dense(1, 1)}));
    CHECK(is_left(steps::sparse_cholesky, {a, none}, {csr, dense(1, 1), dense(1, 20)}));
    CHECK(is_left(steps::sparse_lu, {a, none}, {csr, csr, dense(1, 20), dense(1, 20)}));
  }
}

TEST_CASE("what ends a run is a status as other exceptions are") {
  CHECK(status_of(Stopped(RunCode::time_limit)).code == RunCode::time_limit);
  CHECK(status_of(Stopped(RunCode::interrupted)).message == stop_text(RunCode::interrupted));
}

TEST_CASE("of its warnings a run keeps the first ones") {
  RunResult result;
  std::int64_t shown = 0;
  RunOptions options;
  options.warn = [&](const RunWarning&) { ++shown; };
  for (int k = 0; k < 5000; ++k) deliver_warning({"warning: again", "my:id", {}}, options, result);
  CHECK(shown == 5000);
  CHECK(result.warnings.size() == 1000);
  CHECK(result.kept.left_out == 4000);
  RunResult long_ones;
  const std::string text(300000, 'x');
  for (int k = 0; k < 5; ++k) deliver_warning({text, "", {}}, {}, long_ones);
  CHECK(long_ones.warnings.size() == 3);
  CHECK(long_ones.kept.left_out == 2);
}

TEST_CASE("worker threads that the system does not give are no failure") {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(9);
    const rlimit none = {1, 1};
    ::setrlimit(RLIMIT_NPROC, &none);
    try {
      start_threads();
      ::_exit(3);
    } catch (...) {
      ::_exit(4);
    }
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 3);
}

TEST_CASE("a pool gives back what it took from the budget") {
  const auto budget = std::make_shared<MemoryBudget>(1 << 20);
  const MemoryBudget::Scope scope(budget);
  for (int k = 0; k < 10; ++k) {
    Pool pool;
    CHECK(pool.acquire(700000) != nullptr);
    CHECK(pool.acquire(700000) == nullptr);
  }
  CHECK(budget->take(1 << 20));
}

TEST_CASE("a share goes with its bytes") {
  const auto budget = std::make_shared<MemoryBudget>(1000);
  {
    MemoryBudget::Share share(budget);
    CHECK(share.take(600));
    MemoryBudget::Share moved(std::move(share));
    CHECK(!moved.take(600));
    CHECK(moved.take(400));
    moved = MemoryBudget::Share(budget);
    CHECK(moved.take(1000));
  }
  CHECK(budget->take(1000));
  CHECK(MemoryBudget::Share(nullptr).take(SIZE_MAX));
  CHECK(budget->refused());
  budget->forget_refusals();
  CHECK(!budget->refused());
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
