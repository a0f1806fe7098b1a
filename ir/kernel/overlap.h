// Whether a kernel may store into a buffer that it reads.
//
// All loads of a point come before its stores, but points run in any order and side by side. So a buffer can be read
// and stored in one launch exactly where no point reads what another point stores.
#pragma once

#include "ir/kernel/kernel.h"

namespace lac {

/// Where the maps of one kernel are evaluated: the points of its domain, each for every k (1 outside a contraction).
struct Points {
  Size rows = 1, cols = 1, extent = 1;
};

Points points_of(const Kernel& kernel);

/// True if it is proven that no point reads through `read` what another point stores through `store`, both into one
/// buffer. Proofs: there is one point; the maps are equal and name a place for each point; on one axis, what the maps
/// run through is disjoint, by the lower bounds of the symbols or because the steps pass each other by (odd and even
/// rows).
bool reads_no_other_store(const SymbolTable& symbols, const Points& points, const AccessMap& read,
                          const AccessMap& store);

}  // namespace lac
