#include "passes/memory/liveness.h"

#include <algorithm>

namespace lac::passes {
namespace {

void visit_buffers(const Graph& graph, ValueId value, const Aliases& aliases,
                   const std::function<void(ValueId)>& visit) {
  if (graph.type(value).is_scalar()) return;
  visit(value);
  for (auto shown = aliases.find(value); shown != aliases.end(); shown = aliases.find(shown->second))
    visit(shown->second);
}

}  // namespace

std::unordered_map<ValueId, int> last_uses(const Graph& graph, BlockId block, const Aliases& aliases,
                                           OuterUses& outer) {
  std::unordered_map<ValueId, int> last;
  const std::vector<OpId>& ops = graph.blocks[block].ops;
  for (int n = 0; n < static_cast<int>(ops.size()); ++n) {
    const Op& op = graph.ops[ops[n]];
    const auto use = [&](ValueId value) {
      visit_buffers(graph, value, aliases, [&](ValueId buffer) { last[buffer] = n; });
    };
    if (op.blocks.empty()) for_each_used_value(graph, op, use);
    else std::ranges::for_each(outer.of(ops[n]).values, use);
  }
  for (ValueId yielded : graph.blocks[block].yields)
    visit_buffers(graph, yielded, aliases, [&](ValueId buffer) { last[buffer] = used_by_yield; });
  return last;
}

std::unordered_set<ValueId> used_inside(const Graph& graph, BlockId block, const Aliases& aliases, OuterUses& outer) {
  std::unordered_set<ValueId> used;
  for (const auto& [value, position] : last_uses(graph, block, aliases, outer)) used.insert(value);
  return used;
}

}  // namespace lac::passes
