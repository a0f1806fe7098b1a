// What ops read from outside themselves, found once for each: regions inside regions are not walked again for every
// region around them.
#pragma once

#include <unordered_map>
#include <vector>

#include "ir/graph/graph.h"

namespace lac {

/// Each value once. A Graph may change between two questions, but not inside an op that was asked about, nor may that
/// op's operands.
class OuterUses {
 public:
  struct Uses {
    std::vector<ValueId> values;  ///< all that the op and the ops in its blocks read, but what is defined in these
    std::vector<ValueId> sizes;   ///< of these: what the sizes of the ops inside name, and the limits of loops inside
  };

  explicit OuterUses(const Graph& graph) : graph_(graph) {}
  /// Of an op with blocks. The reference stays valid.
  const Uses& of(OpId region);

 private:
  const Graph& graph_;
  std::unordered_map<OpId, Uses> known_;
};

}  // namespace lac
