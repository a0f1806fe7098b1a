#include "passes/rules/rewriter.h"

namespace lac::passes {
namespace {

constexpr int max_rounds = 16;  // a rule may enable another; chains are short

}  // namespace

Rewriter::Rewriter(Graph& graph, const Capabilities& capabilities, std::initializer_list<std::span<const Rule>> rules)
    : graph_(graph), capabilities_(capabilities) {
  for (const std::span<const Rule>& some : rules)
    for (const Rule& rule : some) rules_[rule.kind].push_back(rule);
}

bool Rewriter::run() {
  bool changed = false;
  for (int n = 0; n < max_rounds && round(); ++n) changed = true;
  return changed;
}

bool Rewriter::round() {
  replaced_.clear();
  count_uses();
  rewrite_block(graph_.body);
  replace_all_uses(graph_, replaced_);
  return !replaced_.empty();
}

void Rewriter::count_uses() {
  uses_.assign(graph_.values.size(), 0);
  for (const Block& block : graph_.blocks) {
    for (OpId op : block.ops)
      for (ValueId operand : graph_.ops[op].operands) ++uses_[operand.index];
    for (ValueId yielded : block.yields) ++uses_[yielded.index];
  }
}

void Rewriter::rewrite_block(BlockId block) {
  const std::vector<OpId> ops = std::exchange(graph_.blocks[block].ops, {});
  for (OpId id : ops) {
    resolve_operands(id);
    for (BlockId inner : std::vector<BlockId>(graph_.ops[id].blocks)) rewrite_block(inner);
    if (!rewrite(block, id)) graph_.blocks[block].ops.push_back(id);
  }
}

bool Rewriter::rewrite(BlockId block, OpId id) {
  const auto found = rules_.find(graph_.ops[id].kind);
  if (found == rules_.end()) return false;
  const std::size_t built = graph_.blocks[block].ops.size();
  Builder builder(graph_, block, graph_.ops[id].location);
  Rewrite rewrite{graph_, builder, capabilities_, graph_.ops[id], uses_};
  for (const Rule& rule : found->second)
    if (const Replacement values = rule.apply(rewrite)) {
      for (std::size_t n = 0; n < values->size(); ++n) replace(rewrite.op.results[n], (*values)[n]);
      return true;
    }
  graph_.blocks[block].ops.resize(built);  // what a rule built before it found that it does not apply
  return false;
}

void Rewriter::replace(ValueId from, ValueId to) {
  replaced_.push_back({from, to});
  image_[from] = to;
  if (graph_.values[to].name.empty()) graph_.values[to].name = graph_.values[from].name;
}

void Rewriter::resolve_operands(OpId id) {
  for (ValueId& operand : graph_.ops[id].operands)
    for (auto found = image_.find(operand); found != image_.end(); found = image_.find(operand))
      operand = found->second;
}

}  // namespace lac::passes
