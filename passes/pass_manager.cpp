#include "passes/pass_manager.h"

#include <algorithm>
#include <chrono>

#include "ir/graph/text.h"
#include "ir/graph/verifier.h"
#include "ir/support/stack.h"
#include "passes/advance.h"
#include "passes/assign_layouts.h"
#include "passes/batch_updates.h"
#include "passes/canonicalize.h"
#include "passes/carry_elements.h"
#include "passes/constant_fold.h"
#include "passes/cse.h"
#include "passes/dce.h"
#include "passes/diagonals.h"
#include "passes/fold_vectors.h"
#include "passes/follow_products.h"
#include "passes/fuse.h"
#include "passes/guard_launches.h"
#include "passes/if_convert.h"
#include "passes/join_branches.h"
#include "passes/join_nests.h"
#include "passes/licm.h"
#include "passes/order_products.h"
#include "passes/phases.h"
#include "passes/plan_memory.h"
#include "passes/recompute.h"
#include "passes/rematerialize.h"
#include "passes/retime.h"
#include "passes/schedule.h"
#include "passes/schedule_groups.h"
#include "passes/select_scalars.h"
#include "passes/silent_checks.h"
#include "passes/split_stencils.h"

namespace lac::passes {
namespace {

void require_valid(const Graph& graph, Phase phase, std::string_view pass) {
  std::vector<std::string> errors = verify(graph);
  if (errors.empty()) errors = check_phase(graph, phase);
  if (errors.empty()) return;
  std::string message = pass.empty() ? "the graph is not valid" : "pass " + std::string(pass) + " broke the graph";
  for (const std::string& error : errors) message += "\n  " + error;
  throw InternalError(message + "\n" + print(graph));
}

}  // namespace

const std::vector<PassInfo>& all_passes() {
  static const std::vector<PassInfo> passes = {
#define LAC_PASS(name, phase, description) {#name, description, name, Phase::phase},
#include "passes/passes.def"
#undef LAC_PASS
  };
  return passes;
}

const PassInfo* find_pass(std::string_view name) {
  for (const PassInfo& pass : all_passes())
    if (pass.name == name) return &pass;
  return nullptr;
}

Result<ManagerReport> run_pipeline(Graph& graph, const Pipeline& pipeline, const ManagerOptions& options) {
  const auto& names = pipeline.passes;
  if (!options.stop_after.empty() && std::find(names.begin(), names.end(), options.stop_after) == names.end())
    return Failure{"pipeline '" + std::string(pipeline.name) + "' has no pass '" + options.stop_after + "'"};

  PassContext context{.capabilities = options.capabilities, .explains = options.explains};
  ManagerReport report;
  Phase phase = Phase::graph;
  if (options.after) options.after("", graph);
  if (options.verify) require_valid(graph, phase, "");
  for (std::string_view name : names) {
    const PassInfo* pass = find_pass(name);
    if (!pass) return Failure{"there is no pass '" + std::string(name) + "'"};
    const auto start = std::chrono::steady_clock::now();
    const bool changed = with_deep_stack([&] { return pass->run(graph, context); });
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    report.times.push_back({pass->name, changed, elapsed.count()});
    if (pass->after != Phase::graph) phase = pass->after;
    if (options.after) options.after(pass->name, graph);
    if (options.verify) require_valid(graph, phase, pass->name);
    if (name == options.stop_after) break;
  }
  report.remarks = std::move(context.remarks);
  for (Apart& apart : context.apart) report.remarks.push_back(std::move(apart.remark));
  return report;
}

}  // namespace lac::passes
