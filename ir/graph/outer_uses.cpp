#include "ir/graph/outer_uses.h"

#include <unordered_set>

namespace lac {
namespace {

std::unordered_set<ValueId> defined_inside(const Graph& graph, const Op& op) {
  std::unordered_set<ValueId> inside;
  for (BlockId block : op.blocks) {
    inside.insert(graph.blocks[block].arguments.begin(), graph.blocks[block].arguments.end());
    for (OpId inner : graph.blocks[block].ops)
      inside.insert(graph.ops[inner].results.begin(), graph.ops[inner].results.end());
  }
  return inside;
}

/// Values in the order in which they are met first.
class FromOutside {
 public:
  explicit FromOutside(const std::unordered_set<ValueId>& inside) : inside_(inside) {}

  void add(ValueId value) {
    if (!inside_.contains(value) && met_.insert(value).second) values_.push_back(value);
  }
  std::vector<ValueId> take() { return std::move(values_); }

 private:
  const std::unordered_set<ValueId>& inside_;
  std::unordered_set<ValueId> met_;
  std::vector<ValueId> values_;
};

}  // namespace

const OuterUses::Uses& OuterUses::of(OpId region) {
  if (const auto found = known_.find(region); found != known_.end()) return found->second;
  const Op& op = graph_.ops[region];
  const std::unordered_set<ValueId> inside = defined_inside(graph_, op);
  FromOutside values(inside), sizes(inside);
  const auto use = [&](ValueId value) { values.add(value); };
  const auto use_size = [&](ValueId value) { sizes.add(value); };
  for_each_used_value(graph_, op, use);
  for (BlockId block : op.blocks) {
    for (ValueId argument : graph_.blocks[block].arguments) for_each_value_in(graph_, graph_.type(argument), use);
    for (OpId id : graph_.blocks[block].ops) {
      const Op& inner = graph_.ops[id];
      for_each_size_value(graph_, inner, use_size);
      if (inner.kind == OpKind::loop) use_size(inner.operands[0]);
      if (inner.blocks.empty()) {
        for_each_used_value(graph_, inner, use);
      } else {
        const Uses& deeper = of(id);
        for (ValueId value : deeper.values) use(value);
        for (ValueId value : deeper.sizes) use_size(value);
      }
    }
    for (ValueId yielded : graph_.blocks[block].yields) use(yielded);
  }
  return known_.emplace(region, Uses{values.take(), sizes.take()}).first->second;
}

}  // namespace lac
