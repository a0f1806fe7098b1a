#include "passes/structure/levels.h"

#include <algorithm>

#include "passes/fusion/reader.h"

namespace lac::passes {

Levels::Levels(const Graph& graph, BlockId block, const BlockUses& uses,
               const std::function<bool(OpId shift)>& made_at_neighbours) {
  for (OpId id : graph.blocks[block].ops) {
    const Op& op = graph.ops[id];
    int found = 0;
    for_each_used_value_deep(graph, op, [&](ValueId value) { found = std::max(found, of(value)); });
    const bool whole = op.kind == OpKind::shift && !made_at_neighbours(id) && uses.is_local(op.operands[0]);
    const bool other = !is_elementwise(op) && !is_view(op) && op.kind != OpKind::constant && op.kind != OpKind::fill &&
                       op.kind != OpKind::iota && op.kind != OpKind::size;
    if (whole || other) ++found;
    for (ValueId result : op.results) levels_[result] = found;
  }
}

int Levels::of(ValueId value) const {
  const auto found = levels_.find(value);
  return found == levels_.end() ? 0 : found->second;
}

int Levels::of_operands(const Op& op) const {
  int found = 0;
  for (ValueId operand : op.operands) found = std::max(found, of(operand));
  return found;
}

}  // namespace lac::passes
