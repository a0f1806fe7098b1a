// The object code of a Plan for this process, compiled on as many threads as pay.
#pragma once

#include <string>
#include <vector>

#include "codegen/llvm/options.h"
#include "ir/graph/graph.h"
#include "ir/support/result.h"

namespace lac::codegen {

struct JitObject {
  std::string bytes;
  bool calls_sleef = false;
};

/// One object for each part (see program.h); together they define lac_program.
Result<std::vector<JitObject>> compile_objects(const Graph& plan, const CodegenOptions& options);

}  // namespace lac::codegen
