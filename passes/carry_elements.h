// An element that a trip stores and the next one reads is carried as a scalar beside the matrix.
//
//     for j = 2:n                            p = u(i, 1)
//       u(i, j) = f(u(i, j - 1))     ->      for j = 2:n
//     end                                      p = f(p),  u(i, j) = p
//                                            end
//
// The number waits in a register instead of going through memory, where every trip of a recurrence would wait for the
// store of the one before: that costs more than its arithmetic. No bit changes.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool carry_elements(Graph& graph, PassContext& context);

}  // namespace lac::passes
