#include "passes/fusion/origins.h"

#include <algorithm>

#include "passes/structure/loop_slots.h"

namespace lac::passes {
namespace {

/// One sweep over the program; true if a value was added.
class Sweep {
 public:
  Sweep(const Graph& graph, bool device_counters, std::unordered_set<ValueId>& device)
      : graph_(graph), device_counters_(device_counters), device_(device) {
    if (device_counters) read_ = values_read(graph);
  }

  bool run() {
    for_each_op(graph_, graph_.body, [&](OpId id) { visit(graph_.ops[id]); });
    return changed_;
  }

 private:
  void visit(const Op& op) {
    switch (op.kind) {
      case OpKind::reduce:
      case OpKind::arg_reduce:
      case OpKind::matmul:
      case OpKind::update:
      case OpKind::resize:
      case OpKind::concat:
      case OpKind::fill:
      case OpKind::iota:
      case OpKind::scan: return put_all(op);
      case OpKind::parameter:  // nobody's but the device's
        if (device_counters_ && !graph_.type(op.results[0]).is_scalar()) put_all(op);
        return;
      case OpKind::map:
      case OpKind::convert:
        if (!graph_.type(op.results[0]).is_scalar() || any_device(op.operands)) put_all(op);
        return;
      case OpKind::loop: return loop(op);
      case OpKind::branch: return branch(op);
      default: break;
    }
    if (has_trait(op.kind, trait::view) && is_device(op.operands[0])) put_all(op);
  }

  void loop(const Op& op) {
    const Block& body = graph_.blocks[op.blocks[0]];
    if (device_counters_)
      for (ValueId counted : counted_on_device(graph_, op, is_device(body.yields[0]), read_)) put(counted);
    hand_on(op.operands, 2, body.arguments, 1);
    hand_on(body.yields, 1, body.arguments, 1);
    hand_on(body.arguments, 1, op.results, 1);
  }

  void branch(const Op& op) {
    for (BlockId arm : op.blocks) hand_on(graph_.blocks[arm].yields, 0, op.results, 0);
    if (is_device(op.operands[0])) put_all(op);
  }

  void hand_on(const std::vector<ValueId>& from, std::size_t from_first, const std::vector<ValueId>& to,
               std::size_t to_first) {
    for (std::size_t i = 0; from_first + i < from.size(); ++i)
      if (is_device(from[from_first + i])) put(to[to_first + i]);
  }

  bool is_device(ValueId value) const { return device_.contains(value); }
  bool any_device(const std::vector<ValueId>& values) const {
    return std::any_of(values.begin(), values.end(), [&](ValueId value) { return is_device(value); });
  }
  void put_all(const Op& op) {
    for (ValueId result : op.results) put(result);
  }
  void put(ValueId value) { changed_ |= device_.insert(value).second; }

  const Graph& graph_;
  bool device_counters_;
  std::unordered_set<ValueId> read_;
  std::unordered_set<ValueId>& device_;
  bool changed_ = false;
};

}  // namespace

std::unordered_set<ValueId> device_values(const Graph& graph, bool device_counters) {
  std::unordered_set<ValueId> device;
  while (Sweep(graph, device_counters, device).run()) {
  }
  return device;
}

}  // namespace lac::passes
