// Branches that only choose between scalars: selects instead.
//
//     if r < tol, done = true; end      done = select(r < tol, true, done)
//
// A result of a branch becomes a select where what both arms yield is known outside them, or takes a few scalar
// operations that cannot fail; those move in front of the branch. A device then computes the choice where the condition
// is, and loops that end by `break` stay on it. The branch remains with its other results and its effects.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool select_scalars(Graph& graph, PassContext& context);

}  // namespace lac::passes
