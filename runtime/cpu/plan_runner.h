// A Plan that is run without compiling it: op by op, through the functions that compiled code calls (ir/plan/abi.h), so
// that results, messages and statistics are those of lac_program.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "ir/plan/abi.h"
#include "ir/plan/plan.h"
#include "ir/plan/slots.h"
#include "ir/plan/work.h"

namespace lac::runtime {

/// The rest of a loop as compiled code, from the start of a trip on. `values` are the runner's, one word for each value
/// of the plan: a scalar as its element is stored, in the low bytes; a matrix as a Buffer*. The trip at hand is the
/// first argument of the loop's body. A Status; where it is ok the loop's results are in `values`.
using LoopFunction = std::int32_t (*)(abi::Context* run, std::uint64_t* values);

/// What a runner asks at the start of every trip of the loop with this number (ir/plan/manifest.h): null to go on
/// itself.
using CompiledLoop = std::function<LoopFunction(std::uint32_t loop)>;

/// What can be said of a plan before any run. Immutable.
class RunnablePlan {
 public:
  /// `plan` outlives the result.
  explicit RunnablePlan(const Plan& plan);

  const Plan& plan() const { return plan_; }

 private:
  friend class PlanRunner;
  struct Launch {
    SlotLayout layout;
    std::vector<Size> sizes;           ///< slot_sizes
    std::vector<Size> unproven_sizes;  ///< of what the kernel runs over
    std::vector<WorkTerm> work;
    Size points;  ///< of its domain
  };

  const Plan& plan_;
  std::unordered_map<OpId, std::uint32_t> steps_, loops_;
  IdVector<KernelId, Launch> launches_;
};

/// Runs one loop of the plan. `values` has, by ValueId, a word for each value that the loop reads, and then for each
/// that it results in (LoopFunction); matrices that it is handed are its own. A Status.
std::int32_t run_loop(abi::Context& run, const RunnablePlan& plan, OpId loop, std::vector<std::uint64_t>& values,
                      const CompiledLoop& compiled);

/// Runs the plan once; a Status.
std::int32_t run_plan(abi::Context& run, const RunnablePlan& plan, const CompiledLoop& compiled);

}  // namespace lac::runtime
