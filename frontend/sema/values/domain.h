// Where Octave would turn complex.
#pragma once

#include <string>
#include <vector>

#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

/// Warns, once for each place, where Octave would turn complex; nothing where that is provably not so.
void guard_domain(Emitter& e, ScalarOp op, const std::vector<ValueId>& operands, Span span);
/// The same where an operand is sparse and so is the result.
void guard_sparse_domain(Emitter& e, ScalarOp op, const std::vector<ValueId>& operands, Span span);
/// The same as an error, for realsqrt and reallog.
void require_real(Emitter& e, ScalarOp op, ValueId operand, const std::string& name);

}  // namespace lac::frontend
