// Where values change their names.
#pragma once

#include <functional>

#include "ir/graph/graph.h"

namespace lac::passes {

/// Calls visit(from, to) for what the loop or branch hands on: initial values and yields to the body's arguments and
/// those to the results; what the arms yield to the results. Nothing for other ops.
void for_each_hand_over(const Graph& graph, const Op& op, const std::function<void(ValueId from, ValueId to)>& visit);

}  // namespace lac::passes
