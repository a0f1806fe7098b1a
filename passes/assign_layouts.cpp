#include "passes/assign_layouts.h"

#include <numeric>
#include <vector>

#include "ir/plan/plan.h"
#include "ir/plan/texel.h"
#include "passes/structure/hand_overs.h"

namespace lac::passes {
namespace {

/// Groups of values, and whether a group may lie in texels.
class Groups {
 public:
  explicit Groups(const Graph& graph)
      : graph_(graph), parent_(graph.values.size()), barred_(graph.values.size(), false) {
    std::iota(parent_.begin(), parent_.end(), 0u);
    for (std::uint32_t n = 0; n < graph.values.size(); ++n) barred_[n] = !fits_texels(graph.values[ValueId{n}].type);
    for_each_op(graph, graph.body, [&](OpId id) { visit(graph.ops[id]); });
  }

  bool may_lie_in_texels(ValueId value) { return !barred_[root(value.index)]; }

 private:
  void visit(const Op& op) {
    switch (op.kind) {
      case OpKind::launch: return launch(op);
      case OpKind::copy: return join(op.operands[0], op.results[0]);
      case OpKind::reshape: return reshape(op);
      case OpKind::loop:
      case OpKind::branch:
        return for_each_hand_over(graph_, op, [&](ValueId given, ValueId taken) { hand_on(given, taken); });
      case OpKind::scan:
      case OpKind::random: return bar_all(op);  // shaders of these know buffers alone
      case OpKind::library:
        if (attribute<LibraryFn>(op) == LibraryFn::solve) bar_all(op);
        return;
      default: return;
    }
  }

  void launch(const Op& op) {
    const Kernel& kernel = graph_.kernels[attribute<KernelId>(op)];
    for (std::uint32_t n = 0; n < op.operands.size(); ++n)
      if (!reads_texels(kernel, n)) bar(op.operands[n]);
    for (std::uint32_t n = 0; n < op.results.size(); ++n) {
      if (!writes_texels(kernel, n)) bar(op.results[n]);
      if (const std::int32_t from = taken_over(op, n); from >= 0)
        join(op.operands[static_cast<std::size_t>(from)], op.results[n]);
    }
  }

  /// A view: the same texels where both are folded, or of one shape.
  void reshape(const Op& op) {
    const Type& from = graph_.type(op.operands[0]);
    const Type& to = graph_.type(op.results[0]);
    const bool alike =
        from.is_dense() && ((folds(from) && folds(to)) || (from.rows == to.rows && from.cols == to.cols));
    if (alike) return join(op.operands[0], op.results[0]);
    bar(op.operands[0]);
    bar(op.results[0]);
  }

  /// Shapes that grow from trip to trip may be vectors in one place and none in another.
  void hand_on(ValueId given, ValueId taken) {
    if (folds(graph_.type(given)) != folds(graph_.type(taken))) bar(given);
    join(given, taken);
  }

  void bar(ValueId value) { barred_[root(value.index)] = true; }
  void bar_all(const Op& op) {
    for (ValueId operand : op.operands) bar(operand);
    for (ValueId result : op.results) bar(result);
  }
  void join(ValueId a, ValueId b) {
    const std::uint32_t left = root(a.index), right = root(b.index);
    const bool barred = barred_[left] || barred_[right];
    parent_[right] = left;
    barred_[left] = barred;
  }
  std::uint32_t root(std::uint32_t value) {
    while (parent_[value] != value) value = parent_[value] = parent_[parent_[value]];
    return value;
  }

  const Graph& graph_;
  std::vector<std::uint32_t> parent_;
  std::vector<bool> barred_;  ///< of a group's root
};

}  // namespace

bool assign_layouts(Graph& graph, PassContext& context) {
  if (!context.capabilities.texels) return false;
  Groups groups(graph);
  bool changed = false;
  for (std::uint32_t n = 0; n < graph.values.size(); ++n) {
    const Layout layout = groups.may_lie_in_texels(ValueId{n}) ? Layout::texel : Layout::buffer;
    changed = changed || graph.values[ValueId{n}].layout != layout;
    graph.values[ValueId{n}].layout = layout;
  }
  return changed;
}

}  // namespace lac::passes
