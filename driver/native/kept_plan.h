// Plans between processes: a program that was compiled before is neither lowered nor taken through the passes again.
#pragma once

#include <optional>

#include "driver/native/compile.h"

namespace lac::driver {

/// compile_to_plan, or what an earlier process kept of it: for the same texts, signature, options that matter to plans,
/// and build of lac, where whatever was looked up outside (functions in files, how files are stored) is still the same.
/// Nothing is kept of what stages are dumped or inputs of sessions.
std::optional<Compilation> recall_or_compile(const Module& module, const CompileRequest& request,
                                             const PlanTarget& target, Diagnostics& diagnostics);

/// The plan that code is made from. A Failure, with more in `diagnostics` or not, also where Options::stop_after ends
/// the passes: there is no code then.
Result<Plan> plan_for_code(const Module& module, const CompileRequest& request, const PlanTarget& target,
                           Diagnostics& diagnostics);

}  // namespace lac::driver
