// Ops that run on the host whatever the target: library steps, scans, draws, texts, checks, outputs. One place for what
// the executors of compiled programs share.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "ir/graph/graph.h"
#include "runtime/run.h"
#include "runtime/steps/library.h"

namespace lac::runtime {

struct HostStep {
  OpKind kind;
  const Attribute& attribute;
  LocationId location;
  std::span<const Tensor> operands;
  std::span<const ResultType> results;
};

/// What the steps of one run share.
struct StepRun {
  const RunOptions& options;
  RunResult& result;  ///< of begin_run; receives outputs and warnings, and holds the state of the generator
};

struct StepFailure {
  std::string message;  ///< Octave's, with "error: " in front
  std::string id = {};
};

using StepOutcome = std::variant<std::vector<Tensor>, StepFailure>;

/// Kinds: library, scan, random, check, warn, print, format, output; any other is an InternalError. An output keeps the
/// tensor that it is given: the caller hands over one that outlives the run.
StepOutcome run_host_step(const HostStep& step, StepRun& run);

void add_warning(RunWarning warning, StepRun& run);

}  // namespace lac::runtime
