// Which ops are scalar arithmetic, that may run though its branch is not taken.
#pragma once

#include "ir/graph/graph.h"

namespace lac::passes {

/// On scalars alone, without effect and without steps that may fail.
bool is_scalar_arithmetic(const Graph& graph, const Op& op);

}  // namespace lac::passes
