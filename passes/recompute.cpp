#include "passes/recompute.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/graph/builder.h"
#include "passes/cost/cost.h"
#include "passes/fusion/reader.h"
#include "passes/structure/levels.h"
#include "passes/structure/loop_slots.h"
#include "passes/structure/uses.h"

namespace lac::passes {
namespace {

constexpr std::size_t most_collected = 200;  ///< ops of an expression; this bounds the time of compiling

/// What an elementwise value is computed from: its ops, operands first, and the values that these read.
struct Expression {
  std::vector<OpId> ops;
  std::vector<ValueId> matrices;  ///< leaves that are no scalars
  bool has_shift = false;         ///< of ops
};

/// A value that passes behind its own read.
struct HandedOn {
  ValueId value;
  Expression expression;                             ///< from what is in memory
  std::unordered_map<int, std::vector<OpId>> later;  ///< its readers, by level
  std::vector<OpId> branches;                        ///< whose arms read it
};

class BlockRecomputer {
 public:
  BlockRecomputer(Graph& graph, BlockId block, const Capabilities& capabilities)
      : graph_(graph),
        block_(block),
        reader_(graph, block, capabilities),
        uses_(graph, block),
        outer_(graph),
        ops_(graph.blocks[block].ops),
        yielded_(graph.blocks[block].yields.begin(), graph.blocks[block].yields.end()),
        levels_(graph, outer_, [this](OpId shift) { return is_spread_to_neighbours(shift); }) {
    levels_.add(ops_);
  }

  bool run() {
    for (OpId id : ops_)
      if (is_elementwise(graph_.ops[id])) repeat_behind(id);
    for (OpId id : ops_)
      if (graph_.ops[id].kind == OpKind::shift && is_spread_to_neighbours(id)) spread(id);
    rebuild();
    return changed_ || !before_.empty();
  }

 private:
  bool is_local(ValueId value) const { return uses_.is_local(value); }
  bool is_matrix_op(OpId id) const {
    const Op& op = graph_.ops[id];
    return is_elementwise(op) && !graph_.type(op.results[0]).is_scalar();
  }
  // -- at neighbours

  bool is_spread_to_neighbours(OpId shift) const {
    const ValueId value = graph_.ops[shift].operands[0];
    if (!is_local(value) || !is_matrix_op(graph_.values[value].op)) return false;
    const Expression expression = expression_of(value);
    const auto in_memory = [&](ValueId leaf) { return !is_local(reshaped(leaf)); };
    const auto same_shape = [&](ValueId leaf) { return graph_.type(leaf).same_shape(graph_.type(value)); };
    return !expression.has_shift && expression.ops.size() <= most_collected &&
           std::ranges::all_of(expression.matrices, in_memory) &&
           std::ranges::all_of(expression.matrices, same_shape) &&
           cost::spreading_pays({time_of(expression), static_cast<std::int64_t>(expression.matrices.size()),
                                 neighbours_read(value), yielded_.contains(value)});
  }

  /// The value of which this is another shape.
  ValueId reshaped(ValueId value) const {
    for (const Op* op = graph_.definition(value); op && op->kind == OpKind::reshape; op = graph_.definition(value))
      value = op->operands[0];
    return value;
  }

  std::int64_t neighbours_read(ValueId value) const {
    return std::ranges::count_if(uses_.readers(value),
                                 [&](OpId reader) { return graph_.ops[reader].kind == OpKind::shift; });
  }

  cost::Time time_of(const Expression& expression) const {
    cost::Time time = 0;
    for (OpId id : expression.ops) time += cost::time_of(graph_.ops[id]);
    return time;
  }

  Expression expression_of(ValueId value) const {
    Expression found;
    std::unordered_set<ValueId> seen;
    add_to(found, value, seen);
    return found;
  }
  /// The same, but from what the trip puts in memory for the next one.
  Expression expression_from_memory(ValueId value) const {
    Expression found;
    std::unordered_set<ValueId> seen;
    for (ValueId yielded : yielded_)
      if (yielded != value && !graph_.type(yielded).is_scalar() && is_local(yielded)) seen.insert(yielded);
    const std::unordered_set<ValueId> in_memory = seen;
    add_to(found, value, seen);
    for (OpId id : found.ops)
      for (ValueId operand : graph_.ops[id].operands)
        if (in_memory.contains(operand) && std::ranges::find(found.matrices, operand) == found.matrices.end())
          found.matrices.push_back(operand);
    return found;
  }
  void add_to(Expression& found, ValueId value, std::unordered_set<ValueId>& seen) const {
    if (found.ops.size() > most_collected || graph_.type(value).is_scalar() || !seen.insert(value).second) return;
    const OpId id = graph_.values[value].op;
    const bool shift = is_local(value) && graph_.ops[id].kind == OpKind::shift;
    if (!is_local(value) || !(is_elementwise(graph_.ops[id]) || shift)) {
      const Op* op = graph_.definition(value);
      if (!op || op->kind != OpKind::fill) found.matrices.push_back(value);
      return;
    }
    found.has_shift |= shift;
    if (shift) {
      const ValueId base = graph_.ops[id].operands[0];
      if (seen.insert(base).second) found.matrices.push_back(base);
    } else {
      for (ValueId operand : graph_.ops[id].operands) add_to(found, operand, seen);
    }
    found.ops.push_back(id);
  }

  /// The shift of a value becomes the same operations on shifts of what it is computed from.
  void spread(OpId shift) {
    const Op moved = graph_.ops[shift];
    const ValueId value = moved.operands[0];
    Builder build(graph_, scratch(), moved.location);
    std::unordered_map<ValueId, ValueId> image;
    const auto at_neighbour = [&](ValueId operand) {
      if (graph_.type(operand).is_scalar()) return operand;
      if (const auto found = image.find(operand); found != image.end()) return found->second;
      const Op* made = graph_.definition(operand);
      if (made && made->kind == OpKind::fill)
        return image[operand] = build.fill(made->operands[0], graph_.type(moved.results[0]).rows,
                                           graph_.type(moved.results[0]).cols);
      Op read = moved;
      read.operands = {operand};
      Type type = graph_.type(operand);
      type.rows = graph_.type(moved.results[0]).rows;
      type.cols = graph_.type(moved.results[0]).cols;
      read.results = {build.new_value(type)};
      const ValueId result = read.results[0];
      build.append(std::move(read));
      return image[operand] = result;
    };
    for (OpId id : expression_of(value).ops) {
      const Op op = graph_.ops[id];
      std::vector<ValueId> operands;
      for (ValueId operand : op.operands) operands.push_back(at_neighbour(operand));
      image[op.results[0]] = op.kind == OpKind::convert ? build.convert(operands[0], graph_.type(op.results[0]).element)
                                                        : build.map(attribute<ScalarOp>(op), operands);
    }
    replaced_.emplace_back(moved.results[0], image.at(value));
    keep_before(shift);
  }

  // -- behind a reduction

  /// Readers of a later pass get a copy of what makes the value, if that is a stencil on what is in memory; arms of
  /// branches that have matrices of it do as well.
  void repeat_behind(OpId id) {
    const ValueId value = graph_.ops[id].results[0];
    if (repeated_.contains(value)) return;
    const std::optional<HandedOn> handed = handed_on(value);
    if (!handed) return;
    const Expression& expression = handed->expression;
    if (expression.has_shift) {
      if (!is_at_hand(expression)) return;
      std::vector<HandedOn> together = {*handed};
      if (!repeating_pays(together)) together = with_companions(*handed);
      if (!repeating_pays(together)) return;
      for (const HandedOn& each : together) repeat(each);
    } else if (!std::ranges::all_of(expression.matrices, [&](ValueId leaf) { return may_stay(leaf); })) {
      return;
    }
    // An arm that runs on every trip reads no more than what storing the value and reading it would have taken.
    const cost::Pass in_arm = {words_read(expression, {}), time_of(expression)};
    if (cost::time(in_arm) > cost::time({cost::words_of_handing_on, 0})) return;
    for (OpId branch : handed->branches)
      for (BlockId arm : std::vector<BlockId>(graph_.ops[branch].blocks)) repeat_in_arm(value, expression, arm);
  }

  /// Nothing: no later pass reads the value, or something else than a kernel does.
  std::optional<HandedOn> handed_on(ValueId value) const {
    if (graph_.type(value).is_scalar() || yielded_.contains(value)) return std::nullopt;
    HandedOn handed = {value, {}, {}, {}};
    for (OpId reader : uses_.readers(value)) {
      const Op& op = graph_.ops[reader];
      if (op.kind == OpKind::branch) {
        handed.branches.push_back(reader);
        continue;
      }
      if (!is_elementwise(op) && op.kind != OpKind::reduce) return std::nullopt;
      const int reads_at = levels_.of_operands(op);
      if (reads_at > levels_.of(value)) handed.later[reads_at].push_back(reader);
    }
    if (handed.later.empty() && handed.branches.empty()) return std::nullopt;
    handed.expression = expression_from_memory(value);
    if (handed.expression.ops.size() > most_collected) return std::nullopt;
    return handed;
  }

  /// With the values that the same passes read and that are computed from the same matrices, as the two parts of a
  /// product with complex numbers are: computed again together, they read these matrices once.
  std::vector<HandedOn> with_companions(const HandedOn& first) const {
    const auto levels = [](const HandedOn& handed) {
      std::set<int> found;
      for (const auto& [level, readers] : handed.later) found.insert(level);
      return found;
    };
    const auto matrices = [](const HandedOn& handed) {
      return std::set(handed.expression.matrices.begin(), handed.expression.matrices.end());
    };
    std::vector<HandedOn> found = {first};
    for (OpId id : ops_) {
      const ValueId value = graph_.ops[id].results.empty() ? ValueId{} : graph_.ops[id].results[0];
      if (!is_elementwise(graph_.ops[id]) || value == first.value || repeated_.contains(value) ||
          !graph_.type(value).same_shape(graph_.type(first.value)))
        continue;
      if (const auto other = handed_on(value); other && other->branches.empty() && other->expression.has_shift &&
                                               levels(*other) == levels(first) && matrices(*other) == matrices(first))
        found.push_back(*other);
    }
    return found;
  }

  bool repeating_pays(const std::vector<HandedOn>& values) const {
    return std::ranges::all_of(values[0].later, [&](const auto& pass) {
      std::unordered_set<ValueId> read_anyway;
      cost::Repetition repetition = {static_cast<std::int64_t>(values.size()), 0, 0,
                                     pass_at(pass.first, values, read_anyway)};
      std::unordered_set<OpId> operations;
      for (const HandedOn& each : values) operations.insert(each.expression.ops.begin(), each.expression.ops.end());
      for (OpId id : operations) repetition.operations += cost::time_of(graph_.ops[id]);
      repetition.words_added = words_read(values[0].expression, read_anyway);
      return cost::repeating_pays(repetition);
    });
  }

  /// What is done on this level over the shape of these values, without them; and the matrices that it reads.
  cost::Pass pass_at(int level, const std::vector<HandedOn>& values, std::unordered_set<ValueId>& read) const {
    const Type& shape = graph_.type(values[0].value);
    cost::Pass pass;
    for (OpId id : ops_) {
      const Op& op = graph_.ops[id];
      if (!joins_pass(op) || levels_.of_operands(op) != level) continue;
      pass.operations += cost::time_of(op);
      pass.words += yielded_.contains(op.results[0]) && graph_.type(op.results[0]).same_shape(shape) ? 1 : 0;
      for (ValueId operand : op.operands)
        if (std::ranges::find(values, operand, &HandedOn::value) == values.end() && levels_.of(operand) < level &&
            graph_.type(operand).same_shape(shape) && !reader_.costs_no_read(operand))
          read.insert(operand);
    }
    pass.words += static_cast<std::int64_t>(read.size());
    return pass;
  }

  std::int64_t words_read(const Expression& expression, const std::unordered_set<ValueId>& anyway) const {
    return std::ranges::count_if(expression.matrices,
                                 [&](ValueId leaf) { return !reader_.costs_no_read(leaf) && !anyway.contains(leaf); });
  }

  bool is_at_hand(const Expression& expression) const {
    return std::ranges::all_of(expression.matrices, [&](ValueId leaf) { return is_at_hand(leaf); });
  }
  /// In memory for another reason as long as the trip lasts.
  bool is_at_hand(ValueId leaf) const {
    return reader_.costs_no_read(leaf) || yielded_.contains(leaf) || is_spread(leaf) ||
           (!is_local(leaf) && !is_overwritten(leaf));
  }
  /// The same, if its buffer is not taken over.
  bool may_stay(ValueId leaf) const { return is_at_hand(leaf) || is_overwritten(leaf); }

  /// Stencils read it where another pass has put it.
  bool is_spread(ValueId value) const {
    return is_local(value) && std::ranges::any_of(uses_.readers(value), [&](OpId reader) {
             return graph_.ops[reader].kind == OpKind::shift && !is_spread_to_neighbours(reader);
           });
  }

  /// An argument whose slot carries something else on may be written over before.
  bool is_overwritten(ValueId value) const {
    const std::vector<ValueId>& arguments = graph_.blocks[block_].arguments;
    return std::ranges::find(arguments, value) != arguments.end();
  }

  void repeat(const HandedOn& handed) {
    repeated_.insert(handed.value);
    for (const auto& [level, readers] : handed.later) repeat(handed.value, handed.expression, readers);
  }
  void repeat(ValueId value, const Expression& expression, const std::vector<OpId>& readers) {
    const OpId first = *std::ranges::min_element(readers, {}, [&](OpId id) { return uses_.place(id); });
    Builder build(graph_, scratch(), graph_.ops[first].location);
    const ValueId again = append_again(build, value, expression);
    for (OpId reader : readers)
      for (ValueId& operand : graph_.ops[reader].operands)
        if (operand == value) operand = again;
    keep_before(first);
  }

  ValueId append_again(Builder& build, ValueId value, const Expression& expression) {
    std::vector<Op> ops;
    for (OpId id : expression.ops) ops.push_back(graph_.ops[id]);
    std::unordered_map<ValueId, ValueId> image;
    append_copies(graph_, build.block, ops, image);
    return image.at(value);
  }

  void repeat_in_arm(ValueId value, const Expression& expression, BlockId arm) {
    if (!Uses(graph_, arm).is_used(value)) return;
    changed_ = true;
    const std::size_t built = graph_.blocks[arm].ops.size();
    Builder build(graph_, arm, graph_.ops[expression.ops.back()].location);
    const ValueId again = append_again(build, value, expression);
    std::vector<OpId>& ops = graph_.blocks[arm].ops;
    move_ops(graph_, arm, built, 0);
    const std::unordered_set<OpId> own(ops.begin(), ops.begin() + static_cast<std::ptrdiff_t>(ops.size() - built));
    const auto replace = [&](ValueId& used) {
      if (used == value) used = again;
    };
    for_each_block(graph_, arm, [&](BlockId block) {
      for (OpId id : graph_.blocks[block].ops)
        if (!own.contains(id)) std::ranges::for_each(graph_.ops[id].operands, replace);
      std::ranges::for_each(graph_.blocks[block].yields, replace);
    });
  }

  // -- where new ops go

  /// New ops are built in the block while its own are away.
  BlockId scratch() {
    graph_.blocks[block_].ops.clear();
    return block_;
  }
  void keep_before(OpId id) {
    std::vector<OpId>& kept = before_[id];
    const std::vector<OpId>& built = graph_.blocks[block_].ops;
    kept.insert(kept.end(), built.begin(), built.end());
  }
  void rebuild() {
    std::vector<OpId> all;
    for (OpId id : ops_) {
      if (const auto found = before_.find(id); found != before_.end())
        all.insert(all.end(), found->second.begin(), found->second.end());
      all.push_back(id);
    }
    graph_.blocks[block_].ops = std::move(all);
    replace_all_uses(graph_, replaced_);
  }

  Graph& graph_;
  BlockId block_;
  Reader reader_;
  BlockUses uses_;
  OuterUses outer_;
  const std::vector<OpId> ops_;  ///< of the block, as they were
  const std::unordered_set<ValueId> yielded_;
  Levels levels_;
  bool changed_ = false;
  std::unordered_set<ValueId> repeated_;  ///< behind the pass that makes them
  std::unordered_map<OpId, std::vector<OpId>> before_;
  std::vector<std::pair<ValueId, ValueId>> replaced_;
};

}  // namespace

bool recompute(Graph& graph, PassContext& context) {
  std::vector<BlockId> blocks;
  for_each_block(graph, graph.body, [&](BlockId block) {
    if (has_stencil(graph, block)) blocks.push_back(block);
  });
  bool changed = false;
  for (BlockId block : blocks) changed |= BlockRecomputer(graph, block, context.capabilities).run();
  return changed;
}

}  // namespace lac::passes
