#include "driver/core/statistics.h"

#include <set>

#include "driver/core/places.h"
#include "ir/plan/program_place.h"

namespace lac::driver {
namespace {

class Places {
 public:
  Places(const Locations& locations, const SourceManager& sources) : locations_(locations), sources_(sources) {}

  api::Place of(LocationId id) const { return place_of(id, locations_, sources_); }
  std::uint32_t line_of_program(LocationId id) const { return of(place_in_program(locations_, id)).line; }

 private:
  const Locations& locations_;
  const SourceManager& sources_;
};

api::KernelStatistics kernel_of(runtime::KernelStatistics&& kernel, const Places& places) {
  std::set<std::uint32_t> lines;
  std::set<api::Place> standing;
  for (const LocationId location : kernel.locations) {
    if (const std::uint32_t line = places.line_of_program(location); line != 0) lines.insert(line);
    if (api::Place place = places.of(location); place.line != 0) standing.insert(std::move(place));
  }
  return {.id = std::move(kernel.id),
          .name = std::move(kernel.name),
          .kind = std::string(name(kernel.kind)),
          .lines = {lines.begin(), lines.end()},
          .places = {standing.begin(), standing.end()},
          .loop = places.line_of_program(kernel.loop),
          .launches = kernel.launches,
          .bytes_read = kernel.bytes_read,
          .bytes_written = kernel.bytes_written,
          .matrix_bytes = kernel.matrix_bytes,
          .vector_bytes = kernel.vector_bytes,
          .flops = kernel.flops,
          .ms = kernel.ms};
}

void count(api::LoopStatistics& loop, const runtime::KernelStatistics& kernel) {
  switch (kernel.kind) {
    case runtime::KernelKind::copy: loop.copied_bytes += kernel.bytes_written; break;
    case runtime::KernelKind::library: loop.steps += kernel.launches; break;
    case runtime::KernelKind::straight: loop.straight += kernel.launches; break;
    default: loop.launches += kernel.launches;
  }
}

api::LoopStatistics loop_of(const runtime::LoopStatistics& loop, const runtime::Statistics& statistics,
                            const Places& places) {
  api::LoopStatistics result;
  result.line = places.line_of_program(loop.location);
  result.place = places.of(loop.location);
  result.trips = loop.trips;
  for (const runtime::KernelStatistics& kernel : statistics.kernels)
    if (kernel.loop == loop.location) count(result, kernel);
  return result;
}

}  // namespace

api::Statistics to_api(runtime::Statistics&& statistics, const api::CompileTimes& times, const Locations& locations,
                       const SourceManager& sources) {
  const Places places(locations, sources);
  api::Statistics result;
  if (sources.size() > 0) result.file = sources.file(FileId{0}).name;
  result.compile_ms = times;
  result.run_ms = statistics.run_ms;
  for (const runtime::LoopStatistics& loop : statistics.loops)
    result.loops.push_back(loop_of(loop, statistics, places));
  for (runtime::KernelStatistics& kernel : statistics.kernels)
    if (kernel.launches != 0) result.kernels.push_back(kernel_of(std::move(kernel), places));
  const runtime::TransferStatistics& t = statistics.transfers;
  result.transfers = {t.uploads, t.upload_bytes, t.downloads, t.download_bytes, t.scalar_readbacks,
                      t.polls,   t.waits,        t.submits,   t.dispatches,     t.render_passes};
  result.resources_created = statistics.memory.resources_created;
  result.pool_hits = statistics.memory.pool_hits;
  result.peak_bytes = statistics.memory.peak_bytes;
  result.evictions = statistics.memory.evictions;
  result.sliced_matrices = statistics.memory.sliced_matrices;
  return result;
}

}  // namespace lac::driver
