// A program that begins to run before it is compiled: each kernel and each loop is run step by step until its compiled
// code is there. Both give the same bits, so nobody can tell when that was.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

#include "ir/plan/units.h"
#include "runtime/cpu/plan_runner.h"
#include "runtime/cpu/strip/kernel.h"

namespace lac::runtime {

/// How long something is run step by step before it is worth compiling: in all runs, those of earlier processes among
/// them, a kernel in nanoseconds, a loop in ops of the plan. What has taken a part of the time that compiling takes is
/// likely to take more than all of it.
struct Patience {
  std::int64_t kernel_ns = 1'000'000;
  std::int64_t loop_ops = 20'000;
  /// All of them together, before anything is worth compiling: the code generator takes some 20 ms to open.
  std::int64_t program_ns = 15'000'000;
};

/// Thread-safe.
class Tiers {
 public:
  /// What is worth compiling: unit n of PlanUnits::kernels, or loop n of the manifest.
  struct Unit {
    enum class Kind : std::uint8_t { kernel, loop } kind = Kind::kernel;
    std::uint32_t number = 0;
  };

  /// `plan` outlives the result. `want` is called once for each unit, from the thread of a run: it should not wait.
  Tiers(const Plan& plan, PlanUnits units, VectorIsa isa, Patience patience, std::function<void(Unit)> want);

  const RunnablePlan& plan() const { return plan_; }
  /// Of the machine that the code is for.
  bool has_gathers() const { return lac::has_gathers(isa_); }
  const PlanUnits& units() const { return units_; }

  /// From now on these are called; what they point to lives as long as this.
  void set_kernel(std::uint32_t unit, const abi::KernelCode* code) { kernels_[unit].code.store(code); }
  void set_loop(std::uint32_t loop, LoopFunction code) { loops_[loop].code.store(code); }

  /// Null: not compiled yet.
  const abi::KernelCode* compiled(std::uint32_t kernel) const { return tier(kernel).code.load(); }
  const StripKernel& strips(std::uint32_t kernel);
  /// A launch of an uncompiled kernel took so long.
  void spent(std::uint32_t kernel, std::int64_t nanoseconds);
  /// A trip of the loop is to be made; its code where it is there.
  LoopFunction trip(std::uint32_t loop);

  /// For how many nanoseconds all that has no code was run step by step.
  std::int64_t run_uncompiled() const { return program_ns_.load(std::memory_order_relaxed); }
  /// For how many nanoseconds the unit was, kernels of straight loops apart.
  std::int64_t run_uncompiled(Unit unit) const;
  /// Before any run, and behind `set_...`: so long it was in earlier processes. Nothing of a loop in one that has code.
  void add_run_uncompiled(Unit unit, std::int64_t nanoseconds);

 private:
  struct KernelTier {
    std::atomic<const abi::KernelCode*> code = nullptr;
    /// All its launches are in straight loops, whose code holds the kernel's: the first of them.
    std::optional<std::uint32_t> part_of;
    std::atomic<std::int64_t> nanoseconds = 0;
    std::atomic<bool> wanted = false;
    std::once_flag made;
    std::optional<StripKernel> strips;
  };
  struct LoopTier {
    std::atomic<LoopFunction> code = nullptr;
    std::atomic<std::int64_t> ops = 0;  ///< that were run step by step
    std::int64_t ops_of_trip = 0;
    std::optional<std::uint32_t> around;  ///< the loop that this one is in
    std::atomic<bool> wanted = false;
  };
  class LoopWalk;

  void want_loop(std::uint32_t loop);
  bool outlasts(std::int64_t nanoseconds) {
    return program_ns_.fetch_add(nanoseconds, std::memory_order_relaxed) + nanoseconds >= patience_.program_ns;
  }
  const KernelTier& tier(std::uint32_t kernel) const { return kernels_[units_.of[KernelId{kernel}]]; }
  KernelTier& tier(std::uint32_t kernel) { return kernels_[units_.of[KernelId{kernel}]]; }

  RunnablePlan plan_;
  PlanUnits units_;
  VectorIsa isa_;
  Patience patience_;
  std::function<void(Unit)> want_;
  std::deque<KernelTier> kernels_;
  std::deque<LoopTier> loops_;
  std::atomic<std::int64_t> program_ns_ = 0;
};

}  // namespace lac::runtime
