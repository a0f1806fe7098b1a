// Where values are used last.
#pragma once

#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "ir/graph/outer_uses.h"

namespace lac::passes {

/// Other names of buffers: value -> the value whose buffer it shows.
using Aliases = std::unordered_map<ValueId, ValueId>;

inline constexpr int used_by_yield = std::numeric_limits<int>::max();

/// For every matrix from outside their own blocks that the block's ops use (in these too) or that it yields: the
/// position of the last op that does, or used_by_yield. A use of an alias is a use of what it shows.
std::unordered_map<ValueId, int> last_uses(const Graph& graph, BlockId block, const Aliases& aliases, OuterUses& outer);

/// The matrices that the ops of `block` use, at any depth, aliases resolved as well.
std::unordered_set<ValueId> used_inside(const Graph& graph, BlockId block, const Aliases& aliases, OuterUses& outer);

}  // namespace lac::passes
