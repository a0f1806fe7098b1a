// Which variables a flow still needs, and which have a value.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "frontend/sema/recursion/flow.h"

namespace lac::frontend {

struct LiveNames {
  /// Of each block: the variables that it, or what comes behind it in the same call, may read before it assigns them.
  std::vector<std::set<std::string>> at_start;
  /// Those of them that are read only where a part of them is assigned, x(end + 1) = v.
  std::vector<std::set<std::string>> only_extended;
  /// Of each block: the variables that have a value behind its statements, whichever way control came, and those that
  /// may have one.
  std::vector<std::set<std::string>> assigned, perhaps_assigned;
};

LiveNames live_names(const Cycle& cycle, const Flow& flow);

}  // namespace lac::frontend
