#include "passes/memory/sink_views.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lac::passes {
namespace {

class Sinker {
 public:
  Sinker(Graph& graph, BlockId block, OuterUses& outer) : graph_(graph), block_(block), outer_(outer) {}

  void run() {
    const std::vector<OpId> ops = std::exchange(graph_.blocks[block_].ops, {});
    for (const OpId id : ops) {
      if (is_view(id)) {
        waiting_[graph_.ops[id].results[0]] = id;
        continue;
      }
      for_each_use(id, [&](ValueId value) { place(value); });
      placed().push_back(id);
    }
    for (const OpId id : ops)
      if (!graph_.ops[id].results.empty()) place(graph_.ops[id].results[0]);
  }

 private:
  std::vector<OpId>& placed() { return graph_.blocks[block_].ops; }

  bool is_view(OpId id) const {
    const Op& op = graph_.ops[id];
    return op.kind == OpKind::reshape && !graph_.type(op.operands[0]).is_scalar() &&
           !graph_.type(op.results[0]).is_scalar();
  }

  template <class Visit>
  void for_each_use(OpId id, Visit&& visit) {
    const Op& op = graph_.ops[id];
    if (op.blocks.empty()) for_each_used_value(graph_, op, visit);
    else std::ranges::for_each(outer_.of(id).values, visit);
  }

  /// The view, where it waits, behind those that it shows.
  void place(ValueId value) {
    const auto found = waiting_.find(value);
    if (found == waiting_.end()) return;
    const OpId view = found->second;
    waiting_.erase(found);
    place(graph_.ops[view].operands[0]);
    placed().push_back(view);
  }

  Graph& graph_;
  BlockId block_;
  OuterUses& outer_;
  std::unordered_map<ValueId, OpId> waiting_;  ///< by result
};

}  // namespace

void sink_views(Graph& graph, BlockId block, OuterUses& outer) { Sinker(graph, block, outer).run(); }

}  // namespace lac::passes
