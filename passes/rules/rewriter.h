// Applies rewrite rules, round by round, until none applies or there were enough rounds.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <unordered_map>
#include <utility>
#include <vector>

#include "passes/rules/rule.h"

namespace lac::passes {

class Rewriter {
 public:
  Rewriter(Graph& graph, const Capabilities& capabilities, std::initializer_list<std::span<const Rule>> rules);

  /// Whether anything changed.
  bool run();

 private:
  bool round();
  void count_uses();
  void rewrite_block(BlockId block);
  bool rewrite(BlockId block, OpId id);
  void replace(ValueId from, ValueId to);
  void resolve_operands(OpId id);

  Graph& graph_;
  const Capabilities& capabilities_;
  std::unordered_map<OpKind, std::vector<Rule>> rules_;
  std::vector<std::uint32_t> uses_;  ///< by value, as the round began
  std::vector<std::pair<ValueId, ValueId>> replaced_;
  std::unordered_map<ValueId, ValueId> image_;
};

}  // namespace lac::passes
