// The cpu target in one process: passes, LLVM, the JIT; and the interp target beside it.
#pragma once

#include "driver/core/backend.h"
#include "passes/pass_manager.h"

namespace lac::driver {

/// A graph on its way to code.
struct Compilation {
  Graph plan;
  api::CompileTimes times;
  bool stopped = false;  ///< Options::stop_after was reached: no code follows
};

/// Parses nothing: lowers and runs the pipeline, handing what Options::dump asks for to the sink. Nothing when errors
/// were reported; remarks are added to `diagnostics`.
std::optional<Compilation> compile_to_plan(Module& module, const CompileRequest& request, Diagnostics& diagnostics);

}  // namespace lac::driver
