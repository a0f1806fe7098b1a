// Plans of graphs that a test has written or taken through passes: what make_plan adds, as the targets ask for it.
#pragma once

#include <utility>

#include "passes/make_plan.h"
#include "passes/schedule_groups.h"

namespace lac::test {

inline Plan cpu_plan(Graph graph) { return passes::make_plan(std::move(graph), {.straight_loops = true}); }

inline Plan device_plan(Graph graph) {
  const Capabilities capabilities = {
      .device_scalars = true, .device_loops = DeviceLoops::all, .device_steps = true, .workgroups = true};
  passes::PassContext context{capabilities};
  passes::schedule_groups(graph, context);
  return passes::make_plan(std::move(graph), capabilities);
}

/// Of render passes.
inline Plan fragment_plan(Graph graph) {
  return passes::make_plan(std::move(graph), {.device_scalars = true, .device_loops = DeviceLoops::of_kernels});
}

}  // namespace lac::test
