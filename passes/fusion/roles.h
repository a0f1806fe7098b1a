// First step of fusion: what becomes of every op of a block.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "ir/graph/outer_uses.h"
#include "passes/fusion/reader.h"

namespace lac::passes {

enum class Role {
  expanded,  ///< exists only inside the kernels that read it
  kernel,    ///< a member of a cluster
  scalar,    ///< a host op without effect: scalar arithmetic, a scalar read from a matrix, a reshape
  host,      ///< an op with a place of its own in the block's order: effect, library step, loop, branch, scan
};

struct Roles {
  std::unordered_map<OpId, Role> of;
  std::unordered_set<ValueId> in_memory;  ///< matrices that something other than a kernel reads
  bool is(OpId op, Role role) const { return of.at(op) == role; }
};

/// Walks the block backwards, consumers first, and fills the reader's `inlined` and `cut`. Scalars among
/// `device_values` that would be host ops are kernels of one point, unless sizes depend on them.
Roles assign_roles(const Graph& graph, BlockId block, Reader& reader, const Capabilities& capabilities,
                   const std::unordered_set<ValueId>& device_values, OuterUses& outer);

}  // namespace lac::passes
