#include "passes/dce.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "passes/dropped_sizes.h"
#include "passes/safety.h"

namespace lac::passes {
namespace {

// Positions in a loop: carried value c is operand c + 2, argument, yield and result c + 1; 0 is the trip or condition.
constexpr std::size_t first_initial = 2;

/// A loop whose condition alone ends it: that it runs on for ever is for the user to see.
bool may_not_end(const Op& op) {
  return op.kind == OpKind::loop && attribute<LoopInfo>(op).kind != LoopKind::for_range;
}

/// Everything that an effect or an output needs.
class Liveness {
 public:
  explicit Liveness(const Graph& graph) : graph_(graph) {
    for_each_block(graph, graph.body, [&](BlockId block) {
      for (OpId op : graph.blocks[block].ops) block_of_[op] = block;
    });
    for_each_op(graph, graph.body, [&](OpId id) {
      const Op& op = graph.ops[id];
      const bool anchored = op.kind == OpKind::parameter || has_trait(op.kind, trait::effect | trait::plan) ||
                            (op.kind == OpKind::library && !is_quiet(attribute<LibraryFn>(op))) || may_not_end(op);
      if (anchored) mark_op(id);
    });
    for (ValueId yielded : graph.blocks[graph.body].yields) mark(yielded);
    while (!pending_.empty()) {
      const ValueId value = pending_.back();
      pending_.pop_back();
      follow(value);
    }
  }

  bool is_live(OpId op) const { return ops_.contains(op); }
  bool is_live(ValueId value) const { return values_.contains(value); }

  /// Carried value c of a loop: someone reads its argument or its result.
  bool carries(const Op& loop, std::size_t c) const {
    return is_live(loop.results[c + 1]) || is_live(graph_.blocks[loop.blocks[0]].arguments[c + 1]);
  }

 private:
  void mark(ValueId value) {
    if (values_.insert(value).second) pending_.push_back(value);
  }

  void mark_op(OpId id) {
    if (!ops_.insert(id).second) return;
    const Op& op = graph_.ops[id];
    const OpId parent = graph_.blocks[block_of_.at(id)].parent;
    if (parent) mark_op(parent);
    if (op.kind == OpKind::loop) {
      mark(op.operands[0]);
      mark(op.operands[1]);
      mark(graph_.blocks[op.blocks[0]].yields[0]);
    } else if (op.kind == OpKind::branch) {
      mark(op.operands[0]);
    } else {
      for_each_used_value(graph_, op, [&](ValueId value) { mark(value); });
    }
  }

  void follow(ValueId value) {
    const Value& v = graph_.values[value];
    for_each_value_in(graph_, v.type, [&](ValueId size) { mark(size); });
    if (v.op) {
      mark_op(v.op);
      follow_result(graph_.ops[v.op], v.index);
    } else if (const OpId parent = graph_.blocks[v.block].parent) {
      mark_op(parent);
      if (v.index > 0) follow_carried(graph_.ops[parent], v.index - 1);
    }
  }

  void follow_result(const Op& op, std::uint32_t index) {
    if (op.kind == OpKind::loop && index > 0) follow_carried(op, index - 1);
    if (op.kind == OpKind::branch)
      for (BlockId block : op.blocks) mark(graph_.blocks[block].yields[index]);
  }

  void follow_carried(const Op& loop, std::size_t c) {
    mark(loop.operands[c + first_initial]);
    mark(graph_.blocks[loop.blocks[0]].yields[c + 1]);
    mark(graph_.blocks[loop.blocks[0]].arguments[c + 1]);
  }

  const Graph& graph_;
  std::unordered_map<OpId, BlockId> block_of_;
  std::unordered_set<OpId> ops_;
  std::unordered_set<ValueId> values_;
  std::vector<ValueId> pending_;
};

template <class T>
void erase_at(std::vector<T>& items, std::size_t place) {
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(place));
}

class Sweep {
 public:
  Sweep(Graph& graph, const Liveness& live) : graph_(graph), live_(live) {}

  bool block(BlockId id) {
    bool changed = std::erase_if(graph_.blocks[id].ops, [&](OpId op) { return !live_.is_live(op); }) > 0;
    for (OpId op : graph_.blocks[id].ops) {
      if (graph_.ops[op].kind == OpKind::loop) changed |= shrink_loop(graph_.ops[op]);
      if (graph_.ops[op].kind == OpKind::branch) changed |= shrink_branch(graph_.ops[op]);
      for (BlockId inner : graph_.ops[op].blocks) changed |= block(inner);
    }
    return changed;
  }

 private:
  bool shrink_loop(Op& loop) {
    Block& body = graph_.blocks[loop.blocks[0]];
    bool changed = false;
    for (std::size_t c = loop.results.size() - 1; c-- > 0;) {
      if (live_.carries(loop, c)) continue;
      erase_at(loop.operands, c + first_initial);
      erase_at(loop.results, c + 1);
      erase_at(body.arguments, c + 1);
      erase_at(body.yields, c + 1);
      changed = true;
    }
    renumber(loop.results);
    renumber(body.arguments);
    return changed;
  }

  bool shrink_branch(Op& branch) {
    bool changed = false;
    for (std::size_t n = branch.results.size(); n-- > 0;) {
      if (live_.is_live(branch.results[n])) continue;
      erase_at(branch.results, n);
      for (BlockId block : branch.blocks) erase_at(graph_.blocks[block].yields, n);
      changed = true;
    }
    renumber(branch.results);
    return changed;
  }

  void renumber(const std::vector<ValueId>& values) {
    for (std::uint32_t n = 0; n < values.size(); ++n) graph_.values[values[n]].index = n;
  }

  Graph& graph_;
  const Liveness& live_;
};

}  // namespace

bool dce(Graph& graph, PassContext&) {
  const Liveness found(graph);
  const bool checked = check_dropped_sizes(graph, [&](OpId op) { return found.is_live(op); });
  const Liveness live = checked ? Liveness(graph) : found;
  return Sweep(graph, live).block(graph.body) || checked;
}

}  // namespace lac::passes
