// What a run did, as values of the public header.
#pragma once

#include "driver/core/report.h"
#include "runtime/stats.h"

namespace lac::driver {

/// Kernels that were launched, with the lines of their places.
api::Statistics to_api(runtime::Statistics&& statistics, const api::CompileTimes& times, const Locations& locations,
                       const SourceManager& sources);

}  // namespace lac::driver
