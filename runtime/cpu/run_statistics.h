// What one run of compiled code did.
#pragma once

#include "runtime/cpu/context.h"
#include "runtime/stats.h"

namespace lac::runtime {

/// All counts so far; Statistics::run_ms is the caller's.
Statistics statistics_of(const abi::Context& run);

}  // namespace lac::runtime
