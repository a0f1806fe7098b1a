// A loop that runs on the device: its trips are recorded ahead, a chunk at a time, and the device decides which of them
// run (LoopMode says which loops do; docs/device_loops.md tells users).
#pragma once

#include "ir/graph/graph.h"
#include "runtime/vulkan/machine/machine.h"

namespace lac::runtime::vulkan {

/// Runs the loop op and defines its results, bit for bit those of Machine's own loop. False, with nothing done, where
/// the host has to drive it after all: it makes no trip, or its buffers do not fit the budget. Failures inside leave as
/// from any op (Stop, DeviceError).
bool run_on_device(Machine& machine, OpId loop);

}  // namespace lac::runtime::vulkan
