#include "passes/licm.h"

#include <algorithm>
#include <unordered_set>

#include "passes/safety.h"

namespace lac::passes {
namespace {

class Hoister {
 public:
  explicit Hoister(Graph& graph) : graph_(graph) {}

  /// Inner loops first, so that what leaves one may leave the next.
  bool block(BlockId id) {
    bool changed = false;
    const std::vector<OpId> before = graph_.blocks[id].ops;
    std::vector<OpId> after;
    for (OpId op : before) {
      for (BlockId inner : std::vector<BlockId>(graph_.ops[op].blocks)) changed |= block(inner);
      if (graph_.ops[op].kind == OpKind::loop) {
        const std::vector<OpId> hoisted = take_invariant(graph_.ops[op].blocks[0]);
        after.insert(after.end(), hoisted.begin(), hoisted.end());
        changed = changed || !hoisted.empty();
      }
      after.push_back(op);
    }
    graph_.blocks[id].ops = std::move(after);
    return changed;
  }

 private:
  std::vector<OpId> take_invariant(BlockId body) {
    std::unordered_set<ValueId> inside(graph_.blocks[body].arguments.begin(), graph_.blocks[body].arguments.end());
    std::vector<OpId> hoisted, kept;
    for (OpId id : graph_.blocks[body].ops) {
      const Op& op = graph_.ops[id];
      bool invariant = op.blocks.empty() && has_trait(op.kind, trait::pure) && is_safe_anywhere(graph_, op);
      for_each_used_value(graph_, op, [&](ValueId value) { invariant = invariant && !inside.contains(value); });
      (invariant ? hoisted : kept).push_back(id);
      if (!invariant) inside.insert(op.results.begin(), op.results.end());
    }
    graph_.blocks[body].ops = std::move(kept);
    return hoisted;
  }

  Graph& graph_;
};

}  // namespace

bool licm(Graph& graph, PassContext&) { return Hoister(graph).block(graph.body); }

}  // namespace lac::passes
