#include "passes/fold_vectors.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/graph/builder.h"
#include "passes/fusion/reader.h"

namespace lac::passes {
namespace {

/// Values that must have one shape, as disjoint sets.
class Classes {
 public:
  ValueId of(ValueId value) {
    const auto found = parent_.find(value);
    if (found == parent_.end() || found->second == value) return value;
    const ValueId root = of(found->second);
    return parent_[value] = root;
  }
  void join(ValueId a, ValueId b) { parent_[of(a)] = of(b); }

 private:
  std::unordered_map<ValueId, ValueId> parent_;
};

struct Shape {
  Size rows, cols;
};

class Folder {
 public:
  explicit Folder(Graph& graph) : graph_(graph) {}

  bool run() {
    for_each_op(graph_, graph_.body, [&](OpId id) { classify(graph_.ops[id]); });
    for_each_op(graph_, graph_.body, [&](OpId id) { look_for_shape(graph_.ops[id]); });
    if (shapes_.empty()) return false;
    fold_block(graph_.body);
    return !columns_.empty();
  }

 private:
  bool is_column(ValueId value) const {
    const Type& type = graph_.type(value);
    return type.is_dense() && type.cols.is(1) && !type.rows.is(1);
  }
  bool are_alike(ValueId a, ValueId b) const {
    return is_column(a) && is_column(b) && graph_.type(a).rows == graph_.type(b).rows;
  }
  bool is_folded(ValueId value) { return is_column_here(value) && shapes_.contains(classes_.of(value)); }
  /// Also of what was a column before it was folded.
  bool is_column_here(ValueId value) const { return made_here_.contains(value) || is_column(value); }

  // -- which values belong together

  bool is_columnwise(const Op& op) const {
    return is_elementwise(op) && is_column(op.results[0]) && std::ranges::all_of(op.operands, [&](ValueId operand) {
             return graph_.type(operand).is_scalar() || are_alike(operand, op.results[0]);
           });
  }

  void join(ValueId a, ValueId b) {
    if (!are_alike(a, b)) return;
    classes_.join(a, b);
  }

  void classify(const Op& op) {
    if (op.kind == OpKind::fill && is_column(op.results[0])) make(op.results[0]);
    if (op.kind == OpKind::loop) classify_loop(op);
    if (op.kind == OpKind::branch)
      for (std::size_t n = 0; n < op.results.size(); ++n)
        hand_on({graph_.blocks[op.blocks[0]].yields[n], graph_.blocks[op.blocks[1]].yields[n]}, {op.results[n]});
    if (!is_columnwise(op)) return;
    make(op.results[0]);
    for (ValueId operand : op.operands) join(operand, op.results[0]);
  }

  void classify_loop(const Op& op) {
    const Block& body = graph_.blocks[op.blocks[0]];
    for (std::size_t n = 1; n < op.results.size(); ++n)
      hand_on({op.operands[n + 1], body.yields[n]}, {body.arguments[n], op.results[n]});
  }

  /// The values `made` are handed on from `given`: of one shape, or left alone.
  void hand_on(const std::vector<ValueId>& given, const std::vector<ValueId>& made) {
    const auto alike = [&](ValueId value) { return are_alike(value, made[0]); };
    if (!std::ranges::all_of(given, alike) || !std::ranges::all_of(made, alike)) return;
    for (ValueId value : given) join(value, made[0]);
    for (ValueId value : made) {
      join(value, made[0]);
      make(value);
    }
  }

  /// The value can be made in another shape.
  void make(ValueId value) { made_here_.insert(value); }

  /// A stencil reads the column as a matrix.
  void look_for_shape(const Op& op) {
    if (op.kind != OpKind::shift) return;
    const Op* view = graph_.definition(op.operands[0]);
    if (!view || view->kind != OpKind::reshape || !is_column(view->operands[0])) return;
    const Type& type = graph_.type(view->results[0]);
    const bool fits = type.rows * type.cols == graph_.type(view->operands[0]).rows;  // whatever is checked where
    if (fits && !type.cols.is(1)) shapes_.try_emplace(classes_.of(view->operands[0]), Shape{type.rows, type.cols});
  }

  // -- folding

  /// Appends to the block what it was, its ops in the shapes of their classes.
  void fold_block(BlockId block) {
    std::vector<OpId> ops = std::exchange(graph_.blocks[block].ops, {});
    for (ValueId argument : graph_.blocks[block].arguments) retype(argument);
    for (OpId id : ops) {
      for (BlockId inner : std::vector<BlockId>(graph_.ops[id].blocks)) fold_block(inner);
      fold_operands(block, id);
      graph_.blocks[block].ops.push_back(id);
      for (ValueId result : graph_.ops[id].results) retype(result);
    }
    if (graph_.blocks[block].parent.valid()) fold_yields(block);
  }

  void retype(ValueId value) {
    if (!made_here_.contains(value)) return;
    const auto shape = shapes_.find(classes_.of(value));
    if (shape == shapes_.end()) return;
    Type& type = graph_.values[value].type;
    columns_[value] = type.rows;
    type.rows = shape->second.rows;
    type.cols = shape->second.cols;
  }

  void fold_operands(BlockId block, OpId id) {
    for (std::size_t n = 0; n < graph_.ops[id].operands.size(); ++n) {
      const ValueId operand = graph_.ops[id].operands[n];
      graph_.ops[id].operands[n] = takes_folded(id, n) ? folded(block, id, operand) : column(block, id, operand);
    }
  }

  void fold_yields(BlockId block) {
    const std::vector<ValueId> results = graph_.ops[graph_.blocks[block].parent].results;
    for (std::size_t n = 0; n < graph_.blocks[block].yields.size(); ++n) {
      const ValueId value = graph_.blocks[block].yields[n];
      const bool carried = results.size() > n && made_here_.contains(results[n]) && is_folded(results[n]);
      const ValueId yielded = carried ? folded(block, graph_.blocks[block].parent, value)
                                      : column(block, graph_.blocks[block].parent, value);
      graph_.blocks[block].yields[n] = yielded;
    }
  }

  bool takes_folded(OpId id, std::size_t n) {
    const Op& op = graph_.ops[id];
    const ValueId operand = op.operands[n];
    if (!is_folded(operand)) return false;
    if (op.kind == OpKind::reduce || op.kind == OpKind::arg_reduce) return attribute<Reduction>(op).axis == Axis::all;
    if (is_elementwise(op)) return made_here_.contains(op.results[0]) && is_folded(op.results[0]);
    return op.kind == OpKind::loop && n >= 2 && made_here_.contains(op.results[n - 1]) && is_folded(op.results[n - 1]);
  }

  /// The matrix for a value of a folded class.
  ValueId folded(BlockId block, OpId reader, ValueId value) {
    if (columns_.contains(value)) return value;
    const Shape& shape = shapes_.at(classes_.of(value));
    Builder build(graph_, block, graph_.ops[reader].location);
    const Op* made = graph_.definition(value);
    if (made && made->kind == OpKind::reshape) {
      const Type& type = graph_.type(made->operands[0]);
      if (type.rows == shape.rows && type.cols == shape.cols) return made->operands[0];
    }
    return build.reshape(value, shape.rows, shape.cols);
  }

  /// The value as it was.
  ValueId column(BlockId block, OpId reader, ValueId value) {
    const auto was = columns_.find(value);
    if (was == columns_.end()) return value;
    Builder build(graph_, block, graph_.ops[reader].location);
    return build.reshape(value, was->second, 1);
  }

  Graph& graph_;
  Classes classes_;
  std::unordered_set<ValueId> made_here_;      ///< values whose ops can make them in another shape
  std::unordered_map<ValueId, Shape> shapes_;  ///< by class
  std::unordered_map<ValueId, Size> columns_;  ///< the rows of what is folded by now
};

}  // namespace

bool fold_vectors(Graph& graph, PassContext&) { return Folder(graph).run(); }

}  // namespace lac::passes
