#include "runtime/cpu/executor.h"

#include <chrono>

#include "runtime/cpu/binding.h"
#include "runtime/cpu/context.h"
#include "runtime/cpu/run_statistics.h"
#include "runtime/cpu/tiers.h"
#include "runtime/stop.h"

namespace lac::runtime {
namespace {

std::int32_t enter(const CpuProgram& program, abi::Context& run) {
  if (program.tiers == nullptr) return program.entry(&run);
  return run_plan(run, program.tiers->plan(), [&](std::uint32_t loop) -> LoopFunction {
    return run.options.check_nan ? nullptr : program.tiers->trip(loop);
  });
}

}  // namespace

void warm_cpu(const CpuProgram& program) {
  start_threads();
  for (const Step& step : program.manifest->steps) {
    const LibraryFn* function = std::get_if<LibraryFn>(&step.attribute);
    if (function == nullptr || !calls_lapack(*function)) continue;
    load_lapack();
    return;
  }
}

RunResult run_cpu(const CpuProgram& program, const std::vector<Tensor>& parameters, const RunOptions& options) {
  abi::Context run(program, options);
  if (const auto problem = binding_problem(*program.manifest, parameters)) {
    run.fail(RunCode::internal_error, *problem, {});
    return std::move(run.result);
  }
  bind(run, parameters);
  const StopScope scope(options);
  const auto start = std::chrono::steady_clock::now();
  const std::int32_t status = enter(program, run);
  const auto end = std::chrono::steady_clock::now();
  if (status != abi::ok && run.result.status.ok())
    run.fail(static_cast<RunCode>(status), "the program stopped without a reason", {});
  while (!run.traced_loops.empty()) run.traced_loops.pop_back();  // that the run left, the innermost first
  run.result.statistics = statistics_of(run);
  run.result.statistics.run_ms = std::chrono::duration<double, std::milli>(end - start).count();
  return std::move(run.result);
}

}  // namespace lac::runtime
