#include "runtime/cpu/executor.h"

#include <algorithm>
#include <chrono>

#include "ir/plan/program_place.h"
#include "runtime/cpu/binding.h"
#include "runtime/cpu/context.h"
#include "runtime/cpu/tiers.h"
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

/// The lines of places; each text is looked through once.
class Lines {
 public:
  explicit Lines(const Manifest& manifest) : manifest_(manifest), ends_(manifest.sources.size()) {}

  /// 0 where the sources or the place are not known.
  std::uint32_t of(LocationId location) {
    if (!manifest_.locations.contains(location)) return 0;
    const Span& span = manifest_.locations[place_in_program(manifest_.locations, location)].span;
    if (!span.valid() || span.file.index >= manifest_.sources.size()) return 0;
    const std::vector<std::size_t>& ends = ends_of(span.file.index);
    return 1 + static_cast<std::uint32_t>(std::ranges::lower_bound(ends, span.begin) - ends.begin());
  }
  std::uint32_t of_loop(std::uint32_t loop) { return loop == 0 ? 0 : of(manifest_.loops[loop - 1].location); }

 private:
  const std::vector<std::size_t>& ends_of(std::size_t file) {
    std::vector<std::size_t>& ends = ends_[file];
    const std::string& text = manifest_.sources[file].text;
    if (ends.empty())
      for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) ends.push_back(at);
    return ends;
  }

  const Manifest& manifest_;
  std::vector<std::vector<std::size_t>> ends_;  ///< of the lines of each source
};

KernelStatistics kernel_statistics(Lines& lines, const std::vector<LocationId>& locations, std::uint32_t loop,
                                   const Counters& counters) {
  KernelStatistics kernel;
  kernel.locations = locations;
  for (LocationId location : locations)
    if (const std::uint32_t line = lines.of(location); line != 0) kernel.lines.push_back(line);
  std::sort(kernel.lines.begin(), kernel.lines.end());
  kernel.lines.erase(std::unique(kernel.lines.begin(), kernel.lines.end()), kernel.lines.end());
  kernel.loop = lines.of_loop(loop);
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

std::string step_name(const Step& step) {
  if (const LibraryFn* function = std::get_if<LibraryFn>(&step.attribute)) return std::string(name(*function));
  return std::string(info(step.kind).name);
}

bool computes(OpKind kind) { return kind == OpKind::library || kind == OpKind::scan || kind == OpKind::random; }

Statistics statistics(const abi::Context& run) {
  const Manifest& manifest = run.manifest;
  Lines lines(manifest);
  Statistics statistics;
  for (std::size_t i = 0; i < manifest.loops.size(); ++i) {
    const LocationId location = manifest.loops[i].location;
    statistics.loops.push_back({lines.of(location), run.loop_trips[i], location});
  }
  for (std::size_t i = 0; i < manifest.kernels.size(); ++i) {
    const KernelEntry& entry = manifest.kernels[i];
    statistics.kernels.push_back(kernel_statistics(lines, entry.locations, entry.loop, run.kernels[i]));
    statistics.kernels.back().name = entry.name;
  }
  for (std::size_t i = 0; i < manifest.steps.size(); ++i) {
    const Step& step = manifest.steps[i];
    if (!computes(step.kind)) continue;
    statistics.kernels.push_back(kernel_statistics(lines, {step.location}, step.loop, run.steps[i]));
    statistics.kernels.back().name = step_name(step);
    statistics.kernels.back().kind = "library";
  }
  for (const auto& [place, counters] : run.copies) {
    const auto& [location, loop] = place;
    const bool known = manifest.locations.contains(LocationId{location});
    const std::vector<LocationId> locations(known ? 1 : 0, LocationId{location});
    statistics.kernels.push_back(kernel_statistics(lines, locations, loop, counters));
    statistics.kernels.back().name = "copy";
    statistics.kernels.back().kind = "copy";
  }
  statistics.memory = run.pool.statistics();
  return statistics;
}

std::int32_t enter(const CpuProgram& program, abi::Context& run) {
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
  run.result.statistics = statistics(run);
  run.result.statistics.run_ms = std::chrono::duration<double, std::milli>(end - start).count();
  return std::move(run.result);
}

}  // namespace lac::runtime
