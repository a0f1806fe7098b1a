#include "passes/fusion/overwrites.h"

#include <algorithm>

#include "ir/kernel/overlap.h"
#include "passes/fusion/updates.h"

namespace lac::passes {
namespace {

/// The map of an access; of what it gathers only the fact.
AccessMap pattern(const Access& access) {
  AccessMap map;
  map.linear = access.linear;
  map.row = access.row;
  map.col = access.col;
  if (access.row_gather) map.row_gather = InstrId{0};
  if (access.col_gather) map.col_gather = InstrId{0};
  if (access.zero_outside || access.guarded) map.out_of_range = OutOfRange::fill;
  return map;
}

}  // namespace

void for_each_overwritten(const Graph& graph, const Op& op, bool growth, const std::function<void(ValueId)>& visit) {
  if (is_update_in_place(graph, op) || (growth && op.kind == OpKind::resize)) visit(op.operands[0]);
  if (op.kind == OpKind::loop)
    for (std::size_t n = 2; n < op.operands.size(); ++n) visit(op.operands[n]);
  if (op.kind != OpKind::branch) return;
  for (BlockId arm : op.blocks)
    for (OpId inner : graph.blocks[arm].ops) for_each_overwritten(graph, graph.ops[inner], growth, visit);
}

bool reads_beside_stores(const Graph& graph, const Op& update, const Access& read, const Size& extent) {
  const Domain domain = update_domain(graph, update);
  const Access store = update_access(graph, update);
  return reads_no_other_store(graph.symbols, {domain.rows, domain.cols, extent}, pattern(read), pattern(store));
}

Size contraction_extent(const Graph& graph, const Op& op) {
  if (op.kind != OpKind::matmul) return 1;
  const Type& left = graph.type(op.operands[0]);
  return attribute<Transposes>(op).left ? left.rows : left.cols;
}

Overwrites::Overwrites(const Graph& graph, BlockId block, bool growth) {
  const std::vector<OpId>& ops = graph.blocks[block].ops;
  for (int n = 0; n < static_cast<int>(ops.size()); ++n) {
    positions_[ops[n]] = n;
    for_each_overwritten(graph, graph.ops[ops[n]], growth, [&](ValueId value) { overwritten_.emplace(value, n); });
  }
  std::unordered_map<ValueId, int> taken;  // of slices and of what they show
  for (int n = 0; n < static_cast<int>(ops.size()); ++n) {
    const Op& op = graph.ops[ops[n]];
    if (op.kind != OpKind::index) continue;
    int first = of(op.operands[0]);
    if (const auto shown = taken.find(op.operands[0]); shown != taken.end()) first = std::min(first, shown->second);
    if (first == never || first <= n) continue;
    taken.emplace(op.results[0], first);
    slices_.emplace_back(op.results[0], first);
  }
}

std::vector<ValueId> Overwrites::old_slices(const Graph& graph, OpId region) const {
  const int at = position(region);
  const bool takes_over = graph.ops[region].kind == OpKind::loop;  // the arms of a branch see for themselves
  std::vector<ValueId> old;
  for (const auto& [slice, taken] : slices_)
    if (taken < at || (takes_over && taken == at)) old.push_back(slice);
  return old;
}

int Overwrites::position(OpId op) const {
  const auto found = positions_.find(op);
  return found == positions_.end() ? -1 : found->second;
}

int Overwrites::of(ValueId value) const {
  const auto found = overwritten_.find(value);
  return found == overwritten_.end() ? never : found->second;
}

}  // namespace lac::passes
