// Elementwise work: classes are converted, extents of 1 broadcast, ranges stay known.
#pragma once

#include <string>
#include <vector>

#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

/// `name` is the operator or function in messages. Sparse operands are taken as well.
ValueId elementwise(Emitter& e, ScalarOp op, std::vector<ValueId> operands, Span span, const std::string& name);

}  // namespace lac::frontend
