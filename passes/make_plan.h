// The last step of a pipeline: what a Plan knows besides its graph.
#pragma once

#include "ir/plan/plan.h"
#include "passes/capabilities.h"

namespace lac::passes {

/// The plan of `graph`, which is in phase plan, for a target of these capabilities. Deterministic. Whoever
/// runs the pipeline verifies, as behind passes (ir/plan/plan_verifier.h).
Plan make_plan(Graph graph, const Capabilities& capabilities);

}  // namespace lac::passes
