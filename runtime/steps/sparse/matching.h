// The structural rank of a sparse matrix.
#pragma once

#include "runtime/steps/sparse/eigen_sparse.h"

namespace lac::runtime {

/// The most non-zeros no two of which share a row or a column (a maximum matching of rows and columns, by augmenting
/// paths). O(cols * stored) at worst, near O(stored) as a rule.
int maximum_matching(const EigenColumns& a);

}  // namespace lac::runtime
