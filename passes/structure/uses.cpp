#include "passes/structure/uses.h"

namespace lac::passes {

Uses::Uses(const Graph& graph, BlockId root) {
  for_each_block(graph, root, [&](BlockId block) {
    for (OpId id : graph.blocks[block].ops)
      for_each_used_value(graph, graph.ops[id], [&](ValueId value) { read_.insert(value); });
    const std::vector<ValueId>& yields = graph.blocks[block].yields;
    for (std::size_t place = 0; place < yields.size(); ++place) yields_[yields[place]].push_back({block, place});
  });
}

const std::vector<Uses::Yield>& Uses::yields(ValueId value) const {
  static const std::vector<Yield> none;
  const auto found = yields_.find(value);
  return found == yields_.end() ? none : found->second;
}

}  // namespace lac::passes
