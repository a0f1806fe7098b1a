#include "passes/rematerialize.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/graph/builder.h"
#include "passes/cost/cost.h"
#include "passes/fusion/reader.h"
#include "passes/structure/loop_slots.h"

namespace lac::passes {
namespace {

class BodyRematerializer {
 public:
  BodyRematerializer(Graph& graph, BlockId body) : graph_(graph), body_(body), uses_(graph, body) {}

  bool run() {
    const std::vector<ValueId> read = matrices_read();
    for (ValueId value : read)
      if (is_read_by_kernels_only(value) && is_computed_outside(base(value))) {
        std::unordered_set<ValueId> seen;
        cost::Time time = 0;
        if (is_made_of_what_is_read(base(value), seen, time)) repeated_.insert(base(value));
      }
    if (repeated_.empty()) return false;
    repeat(read);
    return true;
  }

 private:
  /// The value of which this is another shape.
  ValueId base(ValueId value) const {
    for (const Op* op = graph_.definition(value); op && op->kind == OpKind::reshape; op = graph_.definition(value))
      value = op->operands[0];
    return value;
  }

  /// From outside, by kernels of every trip; what they are made of first.
  std::vector<ValueId> matrices_read() {
    std::unordered_set<ValueId> found;
    for (OpId id : graph_.blocks[body_].ops) {
      if (!joins_pass(graph_.ops[id])) continue;
      for (ValueId operand : graph_.ops[id].operands)
        if (!graph_.type(operand).is_scalar() && !uses_.is_local(operand)) found.insert(operand);
    }
    for (ValueId value : found) in_memory_.insert(base(value));
    std::vector<ValueId> read(found.begin(), found.end());
    std::ranges::sort(read, {}, [](ValueId value) { return value.index; });
    return read;
  }

  bool is_read_by_kernels_only(ValueId value) const {
    const auto& yields = graph_.blocks[body_].yields;
    return std::ranges::all_of(uses_.readers(value), [&](OpId reader) { return joins_pass(graph_.ops[reader]); }) &&
           std::ranges::find(yields, value) == yields.end();
  }

  bool is_computed_outside(ValueId value) const {
    const Op* op = graph_.definition(value);
    return op && !uses_.is_local(value) && graph_.type(value).is_dense() && !graph_.type(value).is_scalar() &&
           is_elementwise(*op);
  }

  /// Of scalars, coordinates, other matrices that the loop reads and smaller ones, in the time of reading it at most.
  bool is_made_of_what_is_read(ValueId value, std::unordered_set<ValueId>& seen, cost::Time& time) const {
    if (!seen.insert(value).second) return true;
    time += cost::time_of(*graph_.definition(value));
    if (!cost::is_as_fast_as_reading(time)) return false;
    return std::ranges::all_of(graph_.definition(value)->operands, [&](ValueId operand) {
      return !must_be_made(operand, value) ||
             (is_computed_outside(base(operand)) && is_made_of_what_is_read(base(operand), seen, time));
    });
  }

  bool must_be_made(ValueId operand, ValueId value) const {
    const Type& type = graph_.type(operand);
    const Op* op = graph_.definition(base(operand));
    const bool is_generated = op && (op->kind == OpKind::iota || op->kind == OpKind::fill);
    const bool is_smaller = type.count() != graph_.type(value).count();
    return !type.is_scalar() && !is_generated && !is_smaller &&
           (!in_memory_.contains(base(operand)) || repeated_.contains(base(operand)));
  }

  void repeat(const std::vector<ValueId>& read) {
    const std::size_t built = graph_.blocks[body_].ops.size();
    std::unordered_set<ValueId> replaced;
    for (ValueId value : read)
      if (repeated_.contains(base(value)) && is_read_by_kernels_only(value)) {
        copy(value);
        replaced.insert(value);
      }
    const std::vector<OpId> ops(graph_.blocks[body_].ops.begin(),
                                graph_.blocks[body_].ops.begin() + static_cast<std::ptrdiff_t>(built));
    for (OpId id : ops)
      for (ValueId& operand : graph_.ops[id].operands)
        if (replaced.contains(operand)) operand = image_.at(operand);
    move_ops(graph_, body_, built, 0);
  }

  void copy(ValueId value) {
    if (image_.contains(value)) return;
    const Op op = *graph_.definition(value);
    for (ValueId operand : op.operands)
      if (op.kind == OpKind::reshape || must_be_made(operand, value)) copy(operand);
    append_copies(graph_, body_, {op}, image_);
  }

  Graph& graph_;
  BlockId body_;
  BlockUses uses_;
  std::unordered_set<ValueId> in_memory_;  ///< what kernels of the trip read, and other shapes of it
  std::unordered_set<ValueId> repeated_;   ///< of these those that the trip makes from now on
  std::unordered_map<ValueId, ValueId> image_;
};

}  // namespace

bool rematerialize(Graph& graph, PassContext& context) {
  if (!context.capabilities.fusion) return false;
  return for_each_loop(graph, graph.body,
                       [&](BlockId, OpId loop) { return BodyRematerializer(graph, graph.ops[loop].blocks[0]).run(); });
}

}  // namespace lac::passes
