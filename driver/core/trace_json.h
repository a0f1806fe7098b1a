// A run's trace as JSON for viewers of traces.
#pragma once

#include <string>

#include "driver/core/report.h"
#include "runtime/trace.h"

namespace lac::driver {

/// Nanoseconds on the trace's clock: when arguments had been read, and between which the program ran; what of the time
/// between compiling took.
struct TracedRun {
  std::int64_t bound = 0, begin = 0, end = 0;
  api::CompileTimes compile_ms;
};

/// The Trace Event Format ("JSON object format"), complete events: what viewers nest by their times. Arguments give the
/// line, bytes, GB/s and trips.
std::string trace_json(const runtime::Trace& trace, const TracedRun& run, const Locations& locations,
                       const SourceManager& sources);

}  // namespace lac::driver
