#include "runtime/cpu/executor.h"

#include <chrono>

#include "runtime/cpu/binding.h"
#include "runtime/cpu/context.h"
#include "runtime/cpu/tiers.h"
#include "runtime/library/step_work.h"
#include "runtime/stop.h"

namespace lac::runtime {
namespace {

void bind(abi::Context& run, const std::vector<Tensor>& parameters) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Tensor& tensor = parameters[i];
    abi::Argument argument{nullptr, 0, tensor.rows(), tensor.cols()};
    if (run.manifest.parameters[i].type.is_scalar()) argument.scalar = tensor.as_scalar();
    else argument.buffer = run.pool.borrow(tensor);
    run.arguments.push_back(argument);
  }
}

KernelStatistics kernel_statistics(const Manifest& manifest, const std::vector<LocationId>& locations,
                                   std::uint32_t loop, const Counters& counters) {
  KernelStatistics kernel;
  kernel.locations = locations;
  if (loop != 0) kernel.loop = manifest.loops[loop - 1].location;
  const abi::Work& work = counters.work;
  kernel.launches = counters.launches;
  kernel.bytes_read = work.matrix_read + work.vector_read;
  kernel.bytes_written = work.matrix_written + work.vector_written;
  kernel.matrix_bytes = work.matrix_read + work.matrix_written;
  kernel.vector_bytes = work.vector_read + work.vector_written;
  kernel.flops = work.flops;
  kernel.ms = counters.ms;
  return kernel;
}

// In the program itself: nobody has timed them.
Counters in_place(const KernelEntry& kernel, std::int64_t launches) {
  const abi::Work& each = kernel.work_in_place;
  return {launches,
          {launches * each.matrix_read, launches * each.vector_read, launches * each.matrix_written,
           launches * each.vector_written, launches * each.flops}};
}

bool computes(OpKind kind) { return kind == OpKind::library || kind == OpKind::scan || kind == OpKind::random; }

Statistics statistics(const abi::Context& run) {
  const Manifest& manifest = run.manifest;
  Statistics statistics;
  for (std::size_t i = 0; i < manifest.loops.size(); ++i)
    statistics.loops.push_back({manifest.loops[i].location, run.loop_trips[i]});
  for (std::size_t i = 0; i < manifest.kernels.size(); ++i) {
    const KernelEntry& entry = manifest.kernels[i];
    const auto add = [&](const char* kind, const Counters& counters) {
      statistics.kernels.push_back(kernel_statistics(manifest, entry.locations, entry.loop, counters));
      statistics.kernels.back().id = kernel_id(i);
      statistics.kernels.back().name = entry.name;
      statistics.kernels.back().kind = kind;
    };
    add("main", run.kernels[i]);
    if (run.straight_launches[i] > 0) add("straight", in_place(entry, run.straight_launches[i]));
  }
  for (std::size_t i = 0; i < manifest.steps.size(); ++i) {
    const Step& step = manifest.steps[i];
    if (!computes(step.kind)) continue;
    statistics.kernels.push_back(kernel_statistics(manifest, {step.location}, step.loop, run.steps[i]));
    statistics.kernels.back().name = step_name(step.kind, step.attribute);
    statistics.kernels.back().kind = "library";
  }
  for (const auto& [place, counters] : run.copies) {
    const auto& [location, loop] = place;
    const bool known = manifest.locations.contains(LocationId{location});
    const std::vector<LocationId> locations(known ? 1 : 0, LocationId{location});
    statistics.kernels.push_back(kernel_statistics(manifest, locations, loop, counters));
    statistics.kernels.back().name = "copy";
    statistics.kernels.back().kind = "copy";
  }
  statistics.memory = run.pool.statistics();
  return statistics;
}

std::int32_t enter(const CpuProgram& program, abi::Context& run) {
  const auto uncompiled = [](std::uint32_t) -> LoopFunction { return nullptr; };
  if (run.options.check_nan && program.tiers != nullptr) return run_plan(run, program.tiers->plan(), uncompiled);
  if (run.options.check_nan && program.watched != nullptr) return run_plan(run, *program.watched, uncompiled);
  if (program.tiers == nullptr) return program.entry(&run);
  return run_plan(run, program.tiers->plan(), [&](std::uint32_t loop) { return program.tiers->trip(loop); });
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
  run.result.statistics = statistics(run);
  run.result.statistics.run_ms = std::chrono::duration<double, std::milli>(end - start).count();
  return std::move(run.result);
}

}  // namespace lac::runtime
