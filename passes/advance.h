// Work at the start of a trip that the end of the trip before does, where that saves a pass.
//
//     while norm(r) > tol                     y = x + D*r
//       x = x + D*r                           while norm(r) > tol
//       r = b - A*x              ->             x = y
//     end                                       r = b - A*x,  y = x + D*r
//                                             end
//
// The stencil A reads x at neighbours, so x is made in a pass before; y is made in the pass that makes r, and r itself
// need not be in memory. The last y is computed in vain and x is what the loop leaves: no bit changes. It is done where
// all that starts a trip is elementwise and scalar arithmetic on carried values, a stencil reads one of its results,
// its matrices are carried on anyway, and a carried matrix (r) is read by nothing else and made by elementwise work.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool advance(Graph& graph, PassContext& context);

}  // namespace lac::passes
