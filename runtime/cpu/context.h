// One run of a compiled program: what the C functions of the ABI work on.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "ir/plan/abi.h"
#include "ir/plan/manifest.h"
#include "runtime/cpu/executor.h"
#include "runtime/cpu/launcher.h"
#include "runtime/cpu/pool.h"
#include "runtime/run.h"
#include "runtime/steps/host_step.h"
#include "runtime/trace.h"

namespace lac::runtime {

/// What one kernel or step did in all its launches.
struct Counters {
  std::int64_t launches = 0;
  abi::Work work;
  double ms = 0;
};

}  // namespace lac::runtime

struct lac::abi::Context {
  Context(const lac::runtime::CpuProgram& program, const lac::runtime::RunOptions& options)
      : manifest(*program.manifest),
        code(program.kernels),
        tiers(program.tiers),
        options(options),
        launcher(options),
        kernels(manifest.kernels.size()),
        straight_launches(manifest.kernels.size()),
        steps(manifest.steps.size()),
        loop_trips(manifest.loops.size()),
        result(begin_run(this->options)),
        steps_run{this->options, result} {}

  const lac::Manifest& manifest;
  const KernelCode* code;  ///< by KernelId, where there are no tiers
  lac::runtime::Tiers* tiers;
  const lac::runtime::RunOptions& options;
  lac::runtime::Launcher launcher;
  lac::runtime::Pool pool;
  std::vector<Argument> arguments;
  std::vector<std::int64_t> trips;   ///< of the loops that run, from 1, the innermost last
  std::vector<std::uint32_t> loops;  ///< which loops those are
  std::vector<lac::runtime::Counters> kernels;
  std::vector<std::int64_t> straight_launches;  ///< of kernels, in the program itself
  std::vector<lac::runtime::Counters> steps;
  std::vector<std::int64_t> loop_trips;              ///< over all entries of each loop
  std::vector<lac::runtime::LoopSpan> traced_loops;  ///< those that run, where the run is traced
  /// Copies of matrices, and what growth moves, by location and by 1 + the innermost loop around them (0: none).
  std::map<std::pair<std::uint32_t, std::uint32_t>, lac::runtime::Counters> copies;
  lac::runtime::RunResult result;
  lac::runtime::StepRun steps_run;
  bool checks_bounds = false;  ///< the code asserts its accesses: lac_check_bounds was called
  std::int32_t kernel = -1;    ///< that is launched, where the code asserts its accesses
  std::mutex outside;          ///< several threads may find an access outside at once

  /// `ok`, or ends the run where something from outside wants that.
  std::int32_t poll(lac::LocationId location);
  /// Ends the run for such a reason.
  std::int32_t stop(lac::runtime::RunCode code, lac::LocationId location);
  /// Ends the run with this status; the return value is for the generated code.
  std::int32_t fail(lac::runtime::RunCode code, std::string message, lac::LocationId location, std::string id = {});
};
