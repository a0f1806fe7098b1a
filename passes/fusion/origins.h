// Where values come from on a target whose kernels leave their results on a device.
#pragma once

#include <unordered_set>

#include "ir/graph/graph.h"

namespace lac::passes {

/// The values that kernels compute, or scans and loops and branches hand on from kernels: matrices in the memory of the
/// device, and scalars whose value the host would have to read back. Parameters, constants, sizes, counters, draws,
/// what library steps return and scalar arithmetic on such are the host's. A scalar that depends on which arm of a
/// branch ran is the device's if the condition is. With `device_counters` so are matrices that are parameters, and
/// what counted_on_device (passes/structure/loop_slots.h) names. To be asked before kernels exist.
std::unordered_set<ValueId> device_values(const Graph& graph, bool device_counters = false);

}  // namespace lac::passes
