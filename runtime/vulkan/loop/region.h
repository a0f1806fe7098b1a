// A loop that runs on the device: its trips are recorded ahead, a chunk at a time, and the device decides which of them
// run (LoopMode says which loops do; docs/device_loops.md tells users).
#pragma once

#include <cstdint>
#include <optional>

#include "ir/graph/graph.h"
#include "runtime/vulkan/machine/machine.h"

namespace lac::runtime::vulkan {

/// Where the host goes on with a loop. 0: nothing was done; else what so many trips left is in the body's arguments,
/// and another one follows.
struct HandedOver {
  std::int64_t trips = 0;
};

/// Runs the loop op and defines its results, bit for bit those of Machine's own loop; nothing is handed over then. The
/// host has to drive it after all where it makes no trip, its buffers do not fit the budget, or the loops inside make
/// more trips than a chunk has room for. Failures inside leave as from any op (Stop, DeviceError).
std::optional<HandedOver> run_on_device(Machine& machine, OpId loop);

}  // namespace lac::runtime::vulkan
