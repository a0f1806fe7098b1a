// Work at the end of a trip that waits for the next one, where it costs no pass of its own.
//
//     while ...                    pending = false
//       q = A*p                    while ...
//       ...                          p = pending ? r + beta*p : p,  x = pending ? x + alpha*p_before : x
//       x = x + alpha*p     ->       q = A*p
//       r = r - alpha*q              ...
//       ...                          r = r - alpha*q,  pending = true
//       p = r + beta*p             end
//     end                          p = pending ? r + beta*p : p,  x likewise
//
// The stencil A that reads p in the next trip can compute it where it reads it, and x joins that pass for it reads the
// old p anyway. A product with a csr matrix that no trip changes follows the kernel that makes p (follow_products). A
// carried value waits if its update is elementwise, reads it, and reads no other matrix than carried ones; nobody sees
// a value before its update: what reads it in the loop or behind it stands after the update. The same operations on the
// same numbers: no bit changes.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool retime(Graph& graph, PassContext& context);

}  // namespace lac::passes
