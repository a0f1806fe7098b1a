// What a pass is.
#pragma once

#include <string_view>
#include <vector>

#include "ir/graph/graph.h"
#include "ir/support/diagnostics.h"
#include "passes/capabilities.h"

namespace lac::passes {

/// A matrix that one kernel of a block stores and another reads, and a remark that gives the reason.
struct Apart {
  ValueId value;
  Diagnostic remark;
};

/// What passes know besides the graph, and what they report. Remarks are of Severity::remark: what was fused, and what
/// costs more than it seems.
struct PassContext {
  Capabilities capabilities;
  std::vector<Diagnostic> remarks = {};
  bool explains = false;          ///< reasons of what was not done are wanted as well
  std::vector<Apart> apart = {};  ///< what fusion left in memory; a pass that fuses more takes its own out
};

/// Rewrites the graph; true if anything changed. A pass neither verifies nor prints nor takes time: the manager does.
using PassFunction = bool (*)(Graph&, PassContext&);

/// How far a graph has come; phases.cpp says which ops each phase may hold.
enum class Phase { graph, kernels, plan };

struct PassInfo {
  std::string_view name;  ///< also its command-line name, file name and golden test
  std::string_view description;
  PassFunction run;
  Phase after;  ///< the phase that the graph is in afterwards; `graph` leaves it as it was
};

/// Every pass of passes.def, in its order.
const std::vector<PassInfo>& all_passes();
/// Null when there is no such pass.
const PassInfo* find_pass(std::string_view name);

}  // namespace lac::passes
