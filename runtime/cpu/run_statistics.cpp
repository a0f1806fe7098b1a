#include "runtime/cpu/run_statistics.h"

#include "runtime/steps/step_work.h"

namespace lac::runtime {
namespace {

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

}  // namespace

Statistics statistics_of(const abi::Context& run) {
  const Manifest& manifest = run.manifest;
  Statistics statistics;
  for (std::size_t i = 0; i < manifest.loops.size(); ++i)
    statistics.loops.push_back({manifest.loops[i].location, run.loop_trips[i]});
  for (std::size_t i = 0; i < manifest.kernels.size(); ++i) {
    const KernelEntry& entry = manifest.kernels[i];
    const auto add = [&](KernelKind kind, const Counters& counters) {
      statistics.kernels.push_back(kernel_statistics(manifest, entry.locations, entry.loop, counters));
      statistics.kernels.back().id = kernel_id(i);
      statistics.kernels.back().name = entry.name;
      statistics.kernels.back().kind = kind;
    };
    add(KernelKind::main, run.kernels[i]);
    if (run.straight_launches[i] > 0) add(KernelKind::straight, in_place(entry, run.straight_launches[i]));
  }
  for (std::size_t i = 0; i < manifest.steps.size(); ++i) {
    const Step& step = manifest.steps[i];
    if (!computes(step.kind)) continue;
    statistics.kernels.push_back(kernel_statistics(manifest, {step.location}, step.loop, run.steps[i]));
    statistics.kernels.back().name = step_name(step.kind, step.attribute);
    statistics.kernels.back().kind = KernelKind::library;
  }
  for (const auto& [place, counters] : run.copies) {
    const auto& [location, loop] = place;
    const bool known = manifest.locations.contains(LocationId{location});
    const std::vector<LocationId> locations(known ? 1 : 0, LocationId{location});
    statistics.kernels.push_back(kernel_statistics(manifest, locations, loop, counters));
    statistics.kernels.back().name = "copy";
    statistics.kernels.back().kind = KernelKind::copy;
  }
  statistics.memory = run.pool.statistics();
  return statistics;
}

}  // namespace lac::runtime
