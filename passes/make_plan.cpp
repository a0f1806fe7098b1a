#include "passes/make_plan.h"

#include <utility>

#include "ir/plan/plan_text.h"
#include "ir/plan/plan_verifier.h"
#include "ir/support/result.h"
#include "passes/plan/decisions.h"

namespace lac::passes {
namespace {

void require_valid([[maybe_unused]] const Plan& plan) {
#ifdef LAC_VERIFY_PASSES
  const std::vector<std::string> problems = verify_plan(plan);
  if (problems.empty()) return;
  std::string message = "make_plan broke the plan";
  for (const std::string& problem : problems) message += "\n  " + problem;
  throw InternalError(message + "\n" + print_plan(plan));
#endif
}

}  // namespace

Plan make_plan(Graph graph, const Capabilities& capabilities) {
  Plan plan(std::move(graph));
  assign_buffers(plan);
  assign_places(plan, capabilities);
  choose_device_steps(plan, capabilities);
  choose_loop_modes(plan, capabilities);
  require_valid(plan);
  return plan;
}

}  // namespace lac::passes
