// Runs pipelines. Only the manager verifies, times and shows graphs.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/support/result.h"
#include "passes/pass.h"
#include "passes/pipelines.h"

namespace lac::passes {

struct ManagerOptions {
  Capabilities capabilities;
#ifdef LAC_VERIFY_PASSES
  bool verify = true;
#else
  bool verify = false;
#endif
  bool explains = false;   ///< remarks say as well why kernels are apart
  std::string stop_after;  ///< the pass after whose first run to stop; empty: run all
  /// Called before the first pass (name "") and after each pass.
  std::function<void(std::string_view name, const Graph&)> after;
};

struct PassTime {
  std::string_view name;
  bool changed = false;
  double milliseconds = 0;
};

struct ManagerReport {
  std::vector<PassTime> times;  ///< in order of execution
  std::vector<Diagnostic> remarks;
};

/// Runs the pipeline's passes on the graph. Fails when `stop_after` names no pass of the pipeline. A graph that does
/// not verify after a pass is the compiler's fault: throws InternalError with the pass, what is wrong and the IR.
Result<ManagerReport> run_pipeline(Graph& graph, const Pipeline& pipeline, const ManagerOptions& options);

}  // namespace lac::passes
