// What a loop watches.
#pragma once

#include <optional>
#include <utility>

#include "ir/graph/graph.h"

namespace lac {

/// The sides of the comparison of real scalars by which the loop decides whether another trip follows, `norm(r) > tol`;
/// of several that are joined by && the first. Nothing for loops whose trips are too short to tell anybody.
std::optional<std::pair<ValueId, ValueId>> compared_by(const Graph& plan, const Op& loop);

}  // namespace lac
