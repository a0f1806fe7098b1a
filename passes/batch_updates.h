// Assignments to elements of a sparse matrix in loops: collected in a list, and stored many at a time.
//
//     for k = 1:n, A(k, k) = v(k); end
//
// Every trip appends (k, k, v(k)); a full list is stored at the end of a trip, and the rest of it behind the loop.
// Storing copies the matrix, so n trips cost n copies of it, and so many fewer with a list. It is done in the outermost
// loop whose trips read A in no other way than `A(i, j) = A(i, j) + v` and whose assignments have scalar subscripts;
// loops and branches in between carry the list, and the extents of what is stored where A grows.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool batch_updates(Graph& graph, PassContext& context);

}  // namespace lac::passes
