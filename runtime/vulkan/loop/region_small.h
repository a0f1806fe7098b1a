// A loop whose data one workgroup takes: all of it in one dispatch (LoopShader in ir/plan/shader.h).
#pragma once

#include "ir/graph/graph.h"
#include "runtime/vulkan/machine/machine.h"

namespace lac::runtime::vulkan {

/// Whether the loop has a shader of its own, and every stage of its kernels has one workgroup at the sizes at hand.
bool is_small(Machine& machine, const Op& loop, const LoopShader& shader);

/// Runs the loop and defines its results: as run_on_device, which has seen to it that it makes a trip and that the
/// matrices from outside are on the device and stay there.
void run_small_loop(Machine& machine, const Op& loop, const LoopShader& shader);

}  // namespace lac::runtime::vulkan
