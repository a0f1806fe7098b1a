#include "passes/make_plan.h"

#include <utility>

#include "passes/plan/decisions.h"

namespace lac::passes {

Plan make_plan(Graph graph, const Capabilities& capabilities) {
  Plan plan(std::move(graph));
  assign_buffers(plan);
  assign_places(plan, capabilities);
  choose_device_steps(plan, capabilities);
  choose_tails(plan, capabilities);
  choose_loop_modes(plan, capabilities);
  return plan;
}

}  // namespace lac::passes
