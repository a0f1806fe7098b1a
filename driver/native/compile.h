// From a program's text to its plan, for every target that runs plans.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "driver/core/backend.h"
#include "ir/plan/plan.h"
#include "passes/pass_manager.h"

namespace lac::driver {

/// A program on its way to code.
struct Compilation {
  Plan plan;
  std::vector<frontend::ParameterSignature> signature;  ///< that it is for: the request's, or that by its values
  api::CompileTimes times;
  bool stopped = false;  ///< Options::stop_after was reached: no code follows, `plan` is a graph and no more
};

/// What a target's plans are made with.
struct PlanTarget {
  std::string_view pipeline;
  Capabilities capabilities;
};
const PlanTarget& cpu_plan();
/// With `texels`, matrices lie in packed texels where they can.
const PlanTarget& vulkan_plan(bool texels = false);
/// Of shader packs: buffers, and nobody beside the device.
const PlanTarget& pack_plan();
/// Of render passes.
const PlanTarget& fragment_plan();

/// Parses nothing: lowers, runs the pipeline and makes the plan, handing what Options::dump asks for to the sink.
/// Nothing when errors were reported; remarks are added to `diagnostics`.
std::optional<Compilation> compile_to_plan(const Module& module, const CompileRequest& request,
                                           const PlanTarget& target, Diagnostics& diagnostics);

/// The stages before code: ast, graph, dot, kernels, plan. Nothing for another stage.
std::optional<Result<Shown>> show_graph_stage(std::string_view what, const Module& module,
                                              const CompileRequest& request, const PlanTarget& target,
                                              Diagnostics& diagnostics);

/// Hands the stages among Options::dump that are not graphs (those that `names` lists) to the sink; false with an error
/// when one cannot be shown.
bool dump_stages(std::span<const std::string_view> names, const api::Options& options, Diagnostics& diagnostics,
                 const std::function<Result<Shown>(std::string_view)>& show);

}  // namespace lac::driver
