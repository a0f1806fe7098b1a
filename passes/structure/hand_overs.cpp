#include "passes/structure/hand_overs.h"

#include <span>

namespace lac::passes {

void for_each_hand_over(const Graph& graph, const Op& op, const std::function<void(ValueId, ValueId)>& visit) {
  const auto hand_on = [&](std::span<const ValueId> from, std::span<const ValueId> to) {
    for (std::size_t n = 0; n < from.size(); ++n) visit(from[n], to[n]);
  };
  if (op.kind == OpKind::branch)
    for (BlockId arm : op.blocks) hand_on(graph.blocks[arm].yields, op.results);
  if (op.kind != OpKind::loop) return;
  const Block& body = graph.blocks[op.blocks[0]];  // operands: limit, condition, initial values
  const auto carried = std::span(body.arguments).subspan(1);
  hand_on(std::span(op.operands).subspan(2), carried);
  hand_on(std::span(body.yields).subspan(1), carried);
  hand_on(carried, std::span(op.results).subspan(1));
}

}  // namespace lac::passes
