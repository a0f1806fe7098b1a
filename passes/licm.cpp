#include "passes/licm.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <unordered_set>
#include <vector>

#include "passes/safety.h"

namespace lac::passes {
namespace {

class Hoister {
 public:
  explicit Hoister(Graph& graph) : graph_(graph) {}

  /// Inner loops first, so that what leaves one may leave the next.
  bool block(BlockId id) {
    bool changed = false;
    const std::size_t held_outside = held_.size();
    for (ValueId argument : graph_.blocks[id].arguments) hold(graph_.type(argument), held_);
    const std::vector<OpId> before = graph_.blocks[id].ops;
    std::vector<OpId> after;
    const auto append = [&](OpId op) {
      after.push_back(op);
      for (ValueId result : graph_.ops[op].results) hold(graph_.type(result), held_);
    };
    for (OpId op : before) {
      for (BlockId inner : std::vector<BlockId>(graph_.ops[op].blocks)) changed |= block(inner);
      if (graph_.ops[op].kind == OpKind::branch) {
        const std::vector<OpId> tables = take_tables(graph_.ops[op]);
        std::ranges::for_each(tables, append);
        changed = changed || !tables.empty();
      }
      if (graph_.ops[op].kind == OpKind::loop) {
        const std::vector<OpId> hoisted = take_invariant(graph_.ops[op]);
        std::ranges::for_each(hoisted, append);
        changed = changed || !hoisted.empty();
      }
      append(op);
    }
    graph_.blocks[id].ops = std::move(after);
    held_.resize(held_outside);
    return changed;
  }

 private:
  /// A trip is certain: what it needs before anything else happens, the program needs.
  bool certainly_runs(const Op& loop) const {
    if (constant_value(graph_, loop.operands[1]).value_or(0) == 0) return false;
    const std::optional<Size> limit = known_size(graph_, loop.operands[0]);
    return limit && at_most(graph_.symbols, 1, *limit);
  }

  /// The literals of few elements in the arms: `if c, x = x + [0 1]; end` is straight code without them.
  std::vector<OpId> take_tables(const Op& branch) {
    std::vector<OpId> tables;
    const auto is_small = [&](OpId id) {
      const Op& op = graph_.ops[id];
      constexpr std::int64_t most = 64;
      return op.kind == OpKind::table && graph_.type(op.results[0]).count().is_constant() &&
             graph_.type(op.results[0]).count().constant() <= most;
    };
    for (const BlockId arm : branch.blocks) {
      std::vector<OpId>& ops = graph_.blocks[arm].ops;
      std::ranges::copy_if(ops, std::back_inserter(tables), is_small);
      std::erase_if(ops, is_small);
    }
    return tables;
  }

  std::vector<OpId> take_invariant(const Op& loop) {
    const BlockId body = loop.blocks[0];
    bool runs = certainly_runs(loop);
    std::unordered_set<ValueId> inside(graph_.blocks[body].arguments.begin(), graph_.blocks[body].arguments.end());
    std::vector<OpId> hoisted, kept;
    for (OpId id : graph_.blocks[body].ops) {
      const Op& op = graph_.ops[id];
      bool invariant = op.blocks.empty() && has_trait(op.kind, trait::pure) && is_safe_anywhere(graph_, op);
      for_each_used_value(graph_, op, [&](ValueId value) { invariant = invariant && !inside.contains(value); });
      invariant = invariant && (runs || can_be_made_early(graph_, op, held_));
      runs = runs && !has_effect(graph_, op) && !may_stop(graph_, op);
      (invariant ? hoisted : kept).push_back(id);
      if (!invariant) inside.insert(op.results.begin(), op.results.end());
    }
    graph_.blocks[body].ops = std::move(kept);
    return hoisted;
  }

  Graph& graph_;
  std::vector<Size> held_;  ///< of values at hand
};

}  // namespace

bool licm(Graph& graph, PassContext&) { return Hoister(graph).block(graph.body); }

}  // namespace lac::passes
