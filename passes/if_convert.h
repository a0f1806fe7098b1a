// Branches around elementwise work become selects, where the work is done anyway.
//
//     if rho <= 0                     alpha = rho/pq
//       flag = 4                      x' = x + alpha*p,  r' = r - alpha*q
//     else                     ->     x = rho <= 0 ? x : x',  r = rho <= 0 ? r : r'
//       x += alpha*p, r -= alpha*q    flag = rho <= 0 ? 4 : flag
//     end
//
// A branch keeps kernels apart: what it makes cannot join the passes before and behind it. It is straightened where one
// arm ends the loop it stands in (flag ~= 1 ends it), so that the other runs on all trips but the last one at most; and
// where both arms make whole matrices from the same ones. Only what cannot stop the program and ends by itself is done
// where the program would not have come to it; whatever an ending arm prints stays in a branch. No bit changes.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool if_convert(Graph& graph, PassContext& context);

}  // namespace lac::passes
