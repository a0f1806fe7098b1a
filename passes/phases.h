// Which ops may exist in which phase.
#pragma once

#include <string>
#include <vector>

#include "passes/pass.h"

namespace lac::passes {

/// What breaks the table: one sentence for each offending op; empty is fine.
std::vector<std::string> check_phase(const Graph& graph, Phase phase);

}  // namespace lac::passes
