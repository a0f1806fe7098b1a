// Who uses which value.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/graph/graph.h"

namespace lac::passes {

/// Uses in a block and everything inside it, as they were when this was made.
class Uses {
 public:
  struct Yield {
    BlockId block;
    std::size_t place;
  };

  Uses(const Graph& graph, BlockId root);

  /// An op reads it, or a size names it.
  bool is_read(ValueId value) const { return read_.contains(value); }
  /// The blocks that yield it.
  const std::vector<Yield>& yields(ValueId value) const;
  bool is_used(ValueId value) const { return is_read(value) || !yields(value).empty(); }

 private:
  std::unordered_set<ValueId> read_;
  std::unordered_map<ValueId, std::vector<Yield>> yields_;
};

/// Scalars that matrices of the block wait for: elementwise ops make these of them, by way of other scalars or at once.
std::unordered_set<ValueId> awaited_scalars(const Graph& graph, BlockId block);

}  // namespace lac::passes
