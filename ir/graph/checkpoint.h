// Taking back what was added to a Graph.
#pragma once

#include <vector>

#include "ir/graph/graph.h"

namespace lac {

/// A state of a Graph that is being built. Going back costs what was added since, not what is there. Since then, ops
/// may have been added to the `open` blocks and to new blocks only, and ops, values and blocks that were there must not
/// have been changed. Names that values got and bounds of symbols that were there stay: they hold in any case.
class Checkpoint {
 public:
  Checkpoint(const Graph& graph, const std::vector<BlockId>& open);
  void restore(Graph& graph) const;

 private:
  struct Length {
    BlockId block;
    std::size_t ops, arguments;
  };
  std::size_t parameters_, symbols_, values_, ops_, blocks_, locations_;
  std::vector<Length> open_;
};

}  // namespace lac
