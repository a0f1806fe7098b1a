// Branches that only choose between scalars: selects instead.
//
//     if r < tol, done = true; end      done = select(r < tol, true, done)
//
// A result of a branch becomes a select where what both arms yield is known outside them, or takes a few scalar
// operations that cannot fail; those move in front of the branch. A device then computes the choice where the condition
// is, and loops that end by `break` stay on it. The branch remains with its other results and its effects.
//
// A sum of elements in an arm moves as well where the device decides, and the same block goes over those elements for a
// sum anyway that it need not wait for: then it costs its arithmetic, which may take no longer than reading them. So
// the sums of scaled squares that `norm` keeps for squares out of range join the plain one, and nothing depends on a
// branch.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool select_scalars(Graph& graph, PassContext& context);

}  // namespace lac::passes
