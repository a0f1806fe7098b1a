#include "passes/select_scalars.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/graph/builder.h"
#include "passes/branches/scalar_work.h"
#include "passes/cost/cost.h"
#include "passes/fusion/origins.h"
#include "passes/fusion/reader.h"
#include "passes/safety.h"

namespace lac::passes {
namespace {

/// What sums go over, elementwise.
bool is_work_on_elements(const Graph& graph, const Op& op) {
  if (op.kind == OpKind::reduce) return graph.type(op.results[0]).is_scalar();
  return op.kind == OpKind::map || op.kind == OpKind::convert;
}

/// Of finite numbers it makes no NaN, and Inf only beyond the range: a check of what kernels compute (--check=nan) does
/// not stop at what is computed in vain.
bool stays_finite(const Graph& graph, const Op& op) {
  static constexpr ScalarOp kinds[] = {ScalarOp::add, ScalarOp::sub, ScalarOp::mul, ScalarOp::neg,
                                       ScalarOp::abs, ScalarOp::min, ScalarOp::max};
  if (op.kind == OpKind::map && std::ranges::find(kinds, attribute<ScalarOp>(op)) == std::end(kinds)) return false;
  return std::ranges::all_of(op.operands, [&](ValueId operand) {
    const std::optional<double> number = constant_value(graph, operand);
    return !number || std::isfinite(*number);
  });
}

/// The matrices that sums of one block go over. Another sum of their elements in that block, of factors that are known
/// before it, is one more of the same pass.
class Swept {
 public:
  explicit Swept(const Graph& graph) : graph_(graph) {}

  void add(OpId id) {
    own_.insert(id);
    const Op& op = graph_.ops[id];
    if (op.kind == OpKind::reduce && graph_.type(op.results[0]).is_scalar()) reach(op.operands[0]);
  }
  /// Matrices that a sum goes over; scalars that do not wait for this block.
  bool contains(ValueId value) const {
    if (!graph_.type(value).is_scalar()) return values_.contains(value);
    return constant_value(graph_, value) || !own_.contains(graph_.values[value].op);
  }

 private:
  void reach(ValueId value) {
    if (graph_.type(value).is_scalar() || !values_.insert(value).second) return;
    const Op* op = graph_.definition(value);
    if (op && is_work_on_elements(graph_, *op))
      for (ValueId operand : op->operands) reach(operand);
  }

  const Graph& graph_;
  std::unordered_set<OpId> own_;
  std::unordered_set<ValueId> values_;
};

class Selector {
 public:
  Selector(Graph& graph, const Capabilities& capabilities)
      : graph_(graph), device_(device_values(graph, capabilities.device_counters)) {}

  bool run() {
    visit(graph_.body);
    replace_all_uses(graph_, replaced_);
    return !replaced_.empty();
  }

 private:
  /// Inner branches first: the selects they leave may move out of the outer ones.
  void visit(BlockId block) {
    Swept swept(graph_);
    for (OpId id : std::exchange(graph_.blocks[block].ops, {})) {
      for (BlockId inner : std::vector<BlockId>(graph_.ops[id].blocks)) visit(inner);
      if (graph_.ops[id].kind == OpKind::branch) replace_results(block, id, swept);
      swept.add(id);
      graph_.blocks[block].ops.push_back(id);
    }
  }

  void replace_results(BlockId block, OpId id, const Swept& swept) {
    const Op branch = graph_.ops[id];
    for (std::size_t n = 0; n < branch.results.size(); ++n) {
      const ValueId result = branch.results[n];
      const ValueId yielded[] = {resolved(graph_.blocks[branch.blocks[0]].yields[n]),
                                 resolved(graph_.blocks[branch.blocks[1]].yields[n])};
      const Type type = graph_.type(result);
      if (!type.is_scalar() || type != graph_.type(yielded[0]) || type != graph_.type(yielded[1])) continue;
      std::vector<OpId> moved[2];
      const bool fits = std::ranges::all_of(std::array{0, 1}, [&](int arm) {
        return collect(branch.blocks[arm], yielded[arm], swept, moved[arm]) &&
               may_move(branch, branch.blocks[arm], moved[arm]);
      });
      if (!fits) continue;
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

  /// The operations of the arm that `value` needs, operands first; false if others than scalar ones and sums over what
  /// is swept are among them, or the scalar ones are too many.
  bool collect(BlockId arm, ValueId value, const Swept& swept, std::vector<OpId>& moved) const {
    const OpId id = graph_.values[value].op;
    if (!is_in(arm, id)) return graph_.type(value).is_scalar() || swept.contains(value);
    if (std::ranges::find(moved, id) != moved.end()) return true;
    const Op& op = graph_.ops[id];
    const bool scalar = is_scalar_arithmetic(graph_, op);
    bool fits = scalar || (is_work_on_elements(graph_, op) && stays_finite(graph_, op) && is_safe_anywhere(graph_, op));
    for_each_used_value(graph_, op, [&](ValueId used) {
      used = resolved(used);
      fits = fits && (scalar || is_in(arm, graph_.values[used].op) || swept.contains(used)) &&
             collect(arm, used, swept, moved);
    });
    if (!fits) return false;
    moved.push_back(id);
    return std::ranges::count_if(moved, [&](OpId m) { return is_scalar_work(graph_.ops[m]); }) <= cost::branch;
  }

  bool is_in(BlockId arm, OpId id) const {
    const std::vector<OpId>& ops = graph_.blocks[arm].ops;
    return id.valid() && std::ranges::find(ops, id) != ops.end();
  }

  /// Sums only where the device decides, for no more time than reading the elements takes.
  bool may_move(const Op& branch, BlockId arm, const std::vector<OpId>& moved) const {
    cost::Time time = 0;
    bool sums = false;
    for (OpId id : moved) {
      if (is_scalar_arithmetic(graph_, graph_.ops[id])) continue;
      sums = true;
      if (is_elementwise(graph_.ops[id])) time += cost::time_of(graph_.ops[id]);
    }
    return !sums || (device_.contains(resolved(branch.operands[0])) && cost::is_as_fast_as_reading(time) &&
                     !leaves_matrix(arm, moved));
  }

  /// What stays in the arm, or behind it, needs a matrix of what would move, which would then be stored every time.
  bool leaves_matrix(BlockId arm, const std::vector<OpId>& moved) const {
    std::unordered_set<ValueId> matrices;
    for (OpId id : moved)
      for (ValueId result : graph_.ops[id].results)
        if (!graph_.type(result).is_scalar()) matrices.insert(result);
    if (matrices.empty()) return false;
    const auto is_left = [&](ValueId value) { return matrices.contains(value); };
    bool left = std::ranges::any_of(graph_.blocks[arm].yields, is_left);
    for_each_op(graph_, arm, [&](OpId id) {
      if (std::ranges::find(moved, id) == moved.end())
        for_each_used_value(graph_, graph_.ops[id], [&](ValueId used) { left = left || is_left(used); });
      for (BlockId inner : graph_.ops[id].blocks)
        left = left || std::ranges::any_of(graph_.blocks[inner].yields, is_left);
    });
    return left;
  }

  bool is_scalar_work(const Op& op) const { return op.kind != OpKind::constant && is_scalar_arithmetic(graph_, op); }

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
  const std::unordered_set<ValueId> device_;
  std::vector<std::pair<ValueId, ValueId>> replaced_;
};

}  // namespace

bool select_scalars(Graph& graph, PassContext& context) { return Selector(graph, context.capabilities).run(); }

}  // namespace lac::passes
