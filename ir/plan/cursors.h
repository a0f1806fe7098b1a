// Cursors: steps that read a few entries of one row of a sparse matrix. Compiled code walks to them in place of a call,
// so they may stand in straight code.
#pragma once

#include "ir/graph/graph.h"

namespace lac {

/// `sparse_element` or `sparse_row_product` of a csr matrix or of a few diagonals, all of it in one floating element.
bool is_cursor(const Graph& plan, const Op& op);

}  // namespace lac
