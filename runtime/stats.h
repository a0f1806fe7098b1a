// What a run did, as plain data; the driver, which knows the sources, turns places into lines. All byte counts are
// totals over all launches.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/graph/attributes.h"

namespace lac::runtime {

enum class KernelKind : std::uint8_t {
  main,
  straight,  ///< in the code of the loop itself
  combine,
  control,
  copy,
  library,  ///< a step of the host
};
inline std::string_view name(KernelKind kind) {
  static constexpr std::string_view names[] = {"main", "straight", "combine", "control", "copy", "library"};
  return names[static_cast<std::size_t>(kind)];
}

struct KernelStatistics {
  std::string id;  ///< what the plan's text calls the kernel: "k3"; empty for steps of the host and copies
  std::string name;
  KernelKind kind = KernelKind::main;
  std::vector<LocationId> locations;
  LocationId loop = {};  ///< of the innermost loop around it
  std::int64_t launches = 0;
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  std::int64_t matrix_bytes = 0;  ///< of sparse operands and of dense ones with more than one row and column
  std::int64_t vector_bytes = 0;  ///< the rest: matrix_bytes + vector_bytes = bytes_read + bytes_written
  std::int64_t flops = 0;
  double ms = 0;
};

struct TransferStatistics {
  std::int64_t uploads = 0, upload_bytes = 0;
  std::int64_t downloads = 0, download_bytes = 0;
  std::int64_t scalar_readbacks = 0;
  std::int64_t polls = 0, waits = 0, submits = 0, dispatches = 0, render_passes = 0;
};

struct MemoryStatistics {
  std::int64_t resources_created = 0;
  std::int64_t pool_hits = 0;
  std::int64_t peak_bytes = 0;
  std::int64_t evictions = 0;
  std::int64_t sliced_matrices = 0;  ///< of which slices of rows were made (runtime/cpu/row_slices.h)
};

struct LoopStatistics {
  LocationId location = {};
  std::int64_t trips = 0;  ///< over all entries of the loop
};

/// Of kernel number `number` of the plan.
inline std::string kernel_id(std::size_t number) { return "k" + std::to_string(number); }

struct Statistics {
  double run_ms = 0;
  std::vector<LoopStatistics> loops;
  std::vector<KernelStatistics> kernels;
  TransferStatistics transfers;
  MemoryStatistics memory;
};

}  // namespace lac::runtime
