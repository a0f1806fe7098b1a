#include "passes/structure/uses.h"

#include "passes/fusion/reader.h"

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

std::unordered_set<ValueId> awaited_scalars(const Graph& graph, BlockId block) {
  std::unordered_set<ValueId> awaited;
  const std::vector<OpId>& ops = graph.blocks[block].ops;
  for (auto id = ops.rbegin(); id != ops.rend(); ++id) {
    const Op& op = graph.ops[*id];
    if (!is_elementwise(op) || (graph.type(op.results[0]).is_scalar() && !awaited.contains(op.results[0]))) continue;
    for (ValueId operand : op.operands)
      if (graph.type(operand).is_scalar()) awaited.insert(operand);
  }
  return awaited;
}

}  // namespace lac::passes
