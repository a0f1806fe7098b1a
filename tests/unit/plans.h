// Plans of graphs that a test has written or taken through passes: what make_plan adds, as the targets ask for it.
#pragma once

#include <utility>

#include "passes/make_plan.h"
#include "passes/schedule_groups.h"

namespace lac::test {

/// A kernel of a graph's text, which stores one element and so may stand in straight code.
inline constexpr const char* storing_kernel = R"(
kernel k0 "y" domain [1 x 1] point block 1 lanes 1 {
  in y: f64[8 x 1]
  out y: f64[8 x 1] from y
  $0: f64 = constant 1
  store y[0, 0] = $0
}
)";

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
