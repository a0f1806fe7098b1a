// Columns that are read as matrices are kept as matrices.
//
// What stencils on a grid read (passes/diagonals.h) are reshaped columns. Elementwise work on the columns, and loops
// and branches that hand them on, take the grid's shape as well, so that all of it can share kernels; where a column is
// wanted it is a reshape, which costs nothing.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool fold_vectors(Graph& graph, PassContext& context);

}  // namespace lac::passes
