// The invariants of a Plan. They are listed at the top of plan_verifier.cpp.
#pragma once

#include <string>
#include <vector>

#include "ir/plan/plan.h"

namespace lac {

/// One sentence for each violation; empty is fine.
std::vector<std::string> verify_plan(const Plan& plan);

}  // namespace lac
