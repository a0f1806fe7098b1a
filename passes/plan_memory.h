// Decides which value lives in which buffer, by linear ownership.
//
// Every matrix result is a buffer owned by one value. Parameters are borrowed: never reused, never released. Scalars
// have no buffer. At its last use an owned value is
//   - taken over by a result (Op::reuse[result] = operand): by an update whose base it is, or by an output of the same
//     element and shape when the kernel reads it at the very position it writes, by a `reshape`, by a loop that
//     carries it, by the host as an output;
//   - or released right after (op `release`).
// An update whose base lives on, a carried initial value that is not owned or lives on, and a yielded value that the
// block does not own get a `copy` first. What a block still owns at its end is released there. A `reshape` that does
// not take over copies. A branch passes the ownership of values whose last use it is to both of its arms: each consumes
// or releases them.
//
// Kernels that are still launched are then numbered in the order of their first launches.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool plan_memory(Graph& graph, PassContext& context);

}  // namespace lac::passes
