#include "passes/structure/levels.h"

#include <algorithm>

#include "passes/fusion/reader.h"

namespace lac::passes {

void Levels::add(std::span<const OpId> ops) {
  for (OpId id : ops) {
    const Op& op = graph_.ops[id];
    int found = 0;
    const auto reads = [&](ValueId value) { found = std::max(found, of(value)); };
    for_each_used_value(graph_, op, reads);
    if (!op.blocks.empty()) std::ranges::for_each(outer_.of(id).values, reads);
    const bool whole = op.kind == OpKind::shift && !made_at_neighbours_(id) && levels_.contains(op.operands[0]);
    const bool other = !is_elementwise(op) && !is_view(op) && op.kind != OpKind::constant && op.kind != OpKind::fill &&
                       op.kind != OpKind::iota && op.kind != OpKind::size;
    if (whole || other) ++found;
    for (ValueId result : op.results) levels_[result] = found;
  }
}

int Levels::of(ValueId value) const {
  const auto found = levels_.find(value);
  if (found != levels_.end()) return found->second;
  return around_ ? around_->of(value) : 0;
}

int Levels::of_operands(const Op& op) const {
  int found = 0;
  for (ValueId operand : op.operands) found = std::max(found, of(operand));
  return found;
}

}  // namespace lac::passes
