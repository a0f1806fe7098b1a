// Common subexpressions: a pure op that equals one before it in the same or an enclosing block is dropped. Equal means
// same kind, operands, attribute and result types.
#pragma once

#include "passes/pass.h"

namespace lac::passes {

bool cse(Graph& graph, PassContext& context);

}  // namespace lac::passes
