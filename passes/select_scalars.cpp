#include "passes/select_scalars.h"

#include <algorithm>
#include <utility>

#include "ir/graph/builder.h"
#include "passes/cost/cost.h"

namespace lac::passes {
namespace {

bool is_scalar_arithmetic(const Graph& graph, const Op& op) {
  switch (op.kind) {
    case OpKind::constant:
    case OpKind::size: return true;
    case OpKind::map:
    case OpKind::convert:
      return std::ranges::all_of(op.operands, [&](ValueId operand) { return graph.type(operand).is_scalar(); });
    default: return false;
  }
}

class Selector {
 public:
  explicit Selector(Graph& graph) : graph_(graph) {}

  bool run() {
    visit(graph_.body);
    replace_all_uses(graph_, replaced_);
    return !replaced_.empty();
  }

 private:
  /// Inner branches first: the selects they leave may move out of the outer ones.
  void visit(BlockId block) {
    for (OpId id : std::exchange(graph_.blocks[block].ops, {})) {
      for (BlockId inner : std::vector<BlockId>(graph_.ops[id].blocks)) visit(inner);
      if (graph_.ops[id].kind == OpKind::branch) replace_results(block, id);
      graph_.blocks[block].ops.push_back(id);
    }
  }

  void replace_results(BlockId block, OpId id) {
    const Op branch = graph_.ops[id];
    for (std::size_t n = 0; n < branch.results.size(); ++n) {
      const ValueId result = branch.results[n];
      const ValueId yielded[] = {resolved(graph_.blocks[branch.blocks[0]].yields[n]),
                                 resolved(graph_.blocks[branch.blocks[1]].yields[n])};
      const Type type = graph_.type(result);
      if (!type.is_scalar() || type != graph_.type(yielded[0]) || type != graph_.type(yielded[1])) continue;
      std::vector<OpId> moved[2];
      if (!collect(branch.blocks[0], yielded[0], moved[0]) || !collect(branch.blocks[1], yielded[1], moved[1]))
        continue;
      for (int arm = 0; arm < 2; ++arm)
        for (OpId op : moved[arm]) move(op, branch.blocks[arm], block);
      Builder builder(graph_, block, branch.location);
      const ValueId chosen = yielded[0] == yielded[1]
                                 ? yielded[0]
                                 : builder.map(ScalarOp::select, branch.operands[0], yielded[0], yielded[1]);
      if (graph_.values[chosen].name.empty()) graph_.values[chosen].name = graph_.values[result].name;
      replaced_.push_back({result, chosen});
    }
  }

  /// The scalar operations of the arm that `value` needs, operands first; false if other work is among them or they are
  /// too many.
  bool collect(BlockId arm, ValueId value, std::vector<OpId>& moved) const {
    const OpId id = graph_.values[value].op;
    const std::vector<OpId>& ops = graph_.blocks[arm].ops;
    if (!id.valid() || std::ranges::find(ops, id) == ops.end()) return true;
    if (std::ranges::find(moved, id) != moved.end()) return true;
    const Op& op = graph_.ops[id];
    bool fits = is_scalar_arithmetic(graph_, op);
    for_each_used_value(graph_, op, [&](ValueId used) { fits = fits && collect(arm, resolved(used), moved); });
    if (!fits) return false;
    moved.push_back(id);
    return std::ranges::count_if(moved, [&](OpId m) { return graph_.ops[m].kind != OpKind::constant; }) <= cost::branch;
  }

  void move(OpId op, BlockId from, BlockId to) {
    std::erase(graph_.blocks[from].ops, op);
    graph_.blocks[to].ops.push_back(op);
  }

  ValueId resolved(ValueId value) const {
    for (const auto& [from, to] : replaced_)
      if (from == value) value = to;
    return value;
  }

  Graph& graph_;
  std::vector<std::pair<ValueId, ValueId>> replaced_;
};

}  // namespace

bool select_scalars(Graph& graph, PassContext&) { return Selector(graph).run(); }

}  // namespace lac::passes
