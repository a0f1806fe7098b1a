#include "passes/constant_fold.h"

#include <optional>
#include <unordered_map>

#include "ir/graph/builder.h"

namespace lac::passes {
namespace {

/// The truth of `a f b` where the normal form or the bounds of a - b decide it.
std::optional<bool> compare(const SymbolTable& symbols, ScalarOp f, const Size& a, const Size& b) {
  const std::optional<std::int64_t> low = (a - b).lower_bound(symbols), high_negated = (b - a).lower_bound(symbols);
  const bool at_least = low && *low >= 0, above = low && *low > 0;
  const bool at_most = high_negated && *high_negated >= 0, below = high_negated && *high_negated > 0;
  const auto decide = [](bool yes, bool no) {
    return yes ? std::optional(true) : no ? std::optional(false) : std::nullopt;
  };
  switch (f) {
    case ScalarOp::eq: return decide(a == b, above || below);
    case ScalarOp::ne: return decide(above || below, a == b);
    case ScalarOp::lt: return decide(below, at_least);
    case ScalarOp::le: return decide(at_most, above);
    case ScalarOp::gt: return decide(above, at_most);
    case ScalarOp::ge: return decide(at_least, below);
    default: return std::nullopt;
  }
}

class Folder {
 public:
  explicit Folder(Graph& graph) : graph_(graph) {}

  bool run() {
    fold_block(graph_.body);
    replace_all_uses(graph_, replaced_);
    return changed_;
  }

 private:
  void fold_block(BlockId block) {
    const std::vector<OpId> ops = std::exchange(graph_.blocks[block].ops, {});
    for (OpId id : ops) fold_op(block, id);
  }

  void fold_op(BlockId block, OpId id) {
    resolve_operands(id);
    if (fold_branch(block, id) || fold_loop(block, id) || fold_check(id) || fold_scalar(block, id)) {
      changed_ = true;
      return;
    }
    for (BlockId inner : std::vector<BlockId>(graph_.ops[id].blocks)) fold_block(inner);
    graph_.blocks[block].ops.push_back(id);
  }

  /// The block taken moves into the place of the branch.
  bool fold_branch(BlockId block, OpId id) {
    const Op branch = graph_.ops[id];
    if (branch.kind != OpKind::branch) return false;
    const std::optional<double> condition = constant_value(graph_, branch.operands[0]);
    if (!condition) return false;
    const BlockId taken = branch.blocks[*condition != 0 ? 0 : 1];
    for (OpId inner : std::vector<OpId>(graph_.blocks[taken].ops)) fold_op(block, inner);
    for (std::size_t n = 0; n < branch.results.size(); ++n)
      replace(branch.results[n], resolved(graph_.blocks[taken].yields[n]));
    return true;
  }

  bool fold_loop(BlockId block, OpId id) {
    const Op loop = graph_.ops[id];
    if (loop.kind != OpKind::loop) return false;
    const std::optional<double> limit = constant_value(graph_, loop.operands[0]);
    const std::optional<double> condition = constant_value(graph_, loop.operands[1]);
    if (!(limit && *limit <= 0) && !(condition && *condition == 0)) return false;
    Builder builder(graph_, block, loop.location);
    replace(loop.results[0], builder.constant(0, Element::integer));
    for (std::size_t n = 1; n < loop.results.size(); ++n) replace(loop.results[n], loop.operands[n + 1]);
    return true;
  }

  /// A check that holds does nothing.
  bool fold_check(OpId id) const {
    const Op& op = graph_.ops[id];
    if (op.kind != OpKind::check && op.kind != OpKind::warn) return false;
    const std::optional<double> condition = constant_value(graph_, op.operands[0]);
    return condition && *condition != 0;
  }

  bool fold_scalar(BlockId block, OpId id) {
    const Op op = graph_.ops[id];
    if (op.results.size() != 1 || !graph_.type(op.results[0]).is_scalar()) return false;
    const std::optional<double> value = scalar_value(op);
    if (!value) return false;
    Builder builder(graph_, block, op.location);
    replace(op.results[0], builder.constant(*value, graph_.type(op.results[0]).element));
    return true;
  }

  std::optional<double> scalar_value(const Op& op) const {
    const Element element = graph_.type(op.results[0]).element;
    if (op.kind == OpKind::size && attribute<Size>(op).is_constant())
      return static_cast<double>(attribute<Size>(op).constant());
    if (op.kind == OpKind::convert)
      if (const std::optional<double> number = constant_value(graph_, op.operands[0]))
        return round_to(element, *number);
    if (op.kind != OpKind::map) return std::nullopt;
    double numbers[3] = {};
    for (std::size_t n = 0; n < op.operands.size(); ++n) {
      const std::optional<double> number = constant_value(graph_, op.operands[n]);
      if (!number) return comparison_of_sizes(op);
      numbers[n] = *number;
    }
    return evaluate_as(element, attribute<ScalarOp>(op), numbers[0], numbers[1], numbers[2]);
  }

  std::optional<double> comparison_of_sizes(const Op& op) const {
    if (op.operands.size() != 2 || info(attribute<ScalarOp>(op)).result != ScalarResult::truth) return std::nullopt;
    const std::optional<Size> a = known_size(graph_, op.operands[0]), b = known_size(graph_, op.operands[1]);
    if (!a || !b) return std::nullopt;
    const std::optional<bool> truth = compare(graph_.symbols, attribute<ScalarOp>(op), *a, *b);
    return truth ? std::optional<double>(*truth) : std::nullopt;
  }

  ValueId resolved(ValueId value) const {
    for (auto found = image_.find(value); found != image_.end(); found = image_.find(value)) value = found->second;
    return value;
  }
  void resolve_operands(OpId id) {
    for (ValueId& operand : graph_.ops[id].operands) operand = resolved(operand);
  }

  void replace(ValueId from, ValueId to) {
    to = resolved(to);
    replaced_.push_back({from, to});
    image_[from] = to;
    if (graph_.values[to].name.empty()) graph_.values[to].name = graph_.values[from].name;
  }

  Graph& graph_;
  std::vector<std::pair<ValueId, ValueId>> replaced_;
  std::unordered_map<ValueId, ValueId> image_;
  bool changed_ = false;
};

}  // namespace

bool constant_fold(Graph& graph, PassContext&) { return Folder(graph).run(); }

}  // namespace lac::passes
