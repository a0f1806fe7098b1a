// The oracle: executes a Graph of any phase, or a Plan, op by op, obviously right, rounding every operation to its
// element.
#pragma once

#include <vector>

#include "ir/plan/plan.h"
#include "runtime/run.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// `parameters` are in the order of Graph::parameters, already of their element and storage; extents bind the size
/// symbols, and a fixed extent or a symbol bound twice must agree. Never throws for a program's own failure.
///
/// `launch` ops execute their Kernel point by point. In phase plan, ownership is checked: reading a buffer after it was
/// released or taken over stops with RunCode::internal_error, "use after release of %N".
RunResult interpret(const Graph& graph, const std::vector<Tensor>& parameters, const RunOptions& options);
/// The same, and no matrix is put into a buffer of the plan in which another still lies.
RunResult interpret(const Plan& plan, const std::vector<Tensor>& parameters, const RunOptions& options);

}  // namespace lac::runtime
