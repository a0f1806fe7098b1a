// Warnings of a run, and the switches that a program has for them.
#pragma once

#include "runtime/run.h"

namespace lac::runtime {

/// Shows a warning, and keeps it while KeptWarnings allows, unless its id is silenced, or it is said once for each
/// place
/// (`domain_warning`, ir/graph/warning_ids.h) and has been said there; one with `switch_id` (ir/graph/signals.h)
/// changes what is, one with `format_id` how values are shown.
void deliver_warning(RunWarning warning, const RunOptions& options, RunResult& result);

}  // namespace lac::runtime
