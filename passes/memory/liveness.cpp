#include "passes/memory/liveness.h"

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

std::unordered_map<ValueId, int> last_uses(const Graph& graph, BlockId block, const Aliases& aliases) {
  std::unordered_map<ValueId, int> last;
  const std::vector<OpId>& ops = graph.blocks[block].ops;
  for (int n = 0; n < static_cast<int>(ops.size()); ++n)
    for_each_used_value_deep(graph, graph.ops[ops[n]], [&](ValueId value) {
      visit_buffers(graph, value, aliases, [&](ValueId buffer) { last[buffer] = n; });
    });
  for (ValueId yielded : graph.blocks[block].yields)
    visit_buffers(graph, yielded, aliases, [&](ValueId buffer) { last[buffer] = used_by_yield; });
  return last;
}

std::unordered_set<ValueId> used_inside(const Graph& graph, BlockId block, const Aliases& aliases) {
  std::unordered_set<ValueId> used;
  for (const auto& [value, position] : last_uses(graph, block, aliases)) used.insert(value);
  return used;
}

}  // namespace lac::passes
