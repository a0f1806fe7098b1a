// What is lowered twice where the text stands once: the subscripts of x(k) += 1 and x(k)++.
#pragma once

#include "frontend/sema/values/emitter.h"

namespace lac::frontend {

/// The op that is lowered next.
OpId next_op(const Graph& graph);
/// Refuses what was lowered from `first` on where it draws random numbers or prints.
void require_no_effect(Emitter& e, OpId first, Span span);

}  // namespace lac::frontend
