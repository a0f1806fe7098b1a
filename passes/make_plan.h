// The last step of a pipeline: what a Plan knows besides its graph.
#pragma once

#include "ir/plan/plan.h"
#include "passes/capabilities.h"

namespace lac::passes {

/// The plan of `graph`, which is in phase plan, for a target of these capabilities. Deterministic. Throws InternalError
/// where the result breaks the invariants of plans (only in builds that verify).
Plan make_plan(Graph graph, const Capabilities& capabilities);

}  // namespace lac::passes
