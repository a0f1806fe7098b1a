// The few numbers that a scalar can be.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/graph/graph.h"

namespace lac::passes {

/// Follows scalars back to constants through arithmetic, selects and branches. Where a branch is assumed to go one way,
/// its results are what that arm yields.
class PossibleValues {
 public:
  explicit PossibleValues(const Graph& graph) : graph_(graph) {}
  PossibleValues(const Graph& graph, OpId branch, std::size_t arm) : graph_(graph), branch_(branch), arm_(arm) {}

  /// Every number that `value` can be, if those are few and known.
  std::optional<std::vector<double>> of(ValueId value);

 private:
  std::optional<std::vector<double>> evaluate(ValueId value);
  std::optional<std::vector<double>> of_branch(const Op& op, std::uint32_t result, OpId id);
  std::optional<std::vector<double>> of_map(const Op& op, Element element);

  const Graph& graph_;
  OpId branch_ = {};
  std::size_t arm_ = 0;
  std::unordered_map<ValueId, std::optional<std::vector<double>>> known_;
};

}  // namespace lac::passes
