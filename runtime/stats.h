// What a run did, as plain data; `lac run --stats` renders it. All byte counts are totals over all launches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/graph/attributes.h"

namespace lac::runtime {

struct KernelStatistics {
  std::string name;
  std::string kind = "main";         ///< main | combine | control | copy | library
  std::vector<std::uint32_t> lines;  ///< of the source, ascending
  std::uint32_t loop = 0;            ///< line of the innermost loop around it; 0: none
  std::int64_t launches = 0;
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  std::int64_t matrix_bytes = 0;  ///< of sparse operands and of dense ones with more than one row and column
  std::int64_t vector_bytes = 0;  ///< the rest: matrix_bytes + vector_bytes = bytes_read + bytes_written
  std::int64_t flops = 0;
  double ms = 0;
  std::vector<LocationId> locations = {};  ///< of an executor that has no lines: the driver turns them into `lines`
  LocationId loop_location = {};           ///< the same for `loop`
};

struct TransferStatistics {
  std::int64_t uploads = 0, upload_bytes = 0;
  std::int64_t downloads = 0, download_bytes = 0;
  std::int64_t scalar_readbacks = 0;
  std::int64_t polls = 0, waits = 0, submits = 0, render_passes = 0;
};

struct MemoryStatistics {
  std::int64_t resources_created = 0;
  std::int64_t pool_hits = 0;
  std::int64_t peak_bytes = 0;
  std::int64_t evictions = 0;
};

struct LoopStatistics {
  std::uint32_t line = 0;
  std::int64_t trips = 0;    ///< over all entries of the loop
  LocationId location = {};  ///< of the loop, where `line` is not known to the executor
};

struct Statistics {
  double run_ms = 0;
  std::vector<LoopStatistics> loops;
  std::vector<KernelStatistics> kernels;
  TransferStatistics transfers;
  MemoryStatistics memory;
};

}  // namespace lac::runtime
