// Whether a matrix of a type can exist.
#pragma once

#include "runtime/steps/library.h"

namespace lac::runtime {

/// Throws std::bad_alloc where a matrix cannot have these extents or, dense, so many elements (ir/types/extent.h). To
/// be asked before anything is computed with them.
void check_extents(const ResultType& type);

}  // namespace lac::runtime
