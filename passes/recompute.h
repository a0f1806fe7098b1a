// Elementwise values that stencils read, or that stencils make, are computed again where that moves fewer bytes.
//
// At neighbours: a shift of v = r + beta*p, r and p in memory, becomes r + beta*p of shifted r and p. A pass of its own
// that makes v before neighbours read it goes; a kernel reads each of r and p once, however many neighbours it uses.
// Behind a reduction: q = A*p with a stencil A is read again after p'*q is known (r = r - alpha*q). To store and read q
// takes two words an element, to compute it again from the p that is in memory one. Likewise in the arm of a branch:
// the norm of a vector reads it again only where its squares overflow.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool recompute(Graph& graph, PassContext& context);

}  // namespace lac::passes
