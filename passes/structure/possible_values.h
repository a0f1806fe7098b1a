// The few numbers that a scalar can be.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/graph/graph.h"

namespace lac::passes {

/// Follows scalars back to constants through arithmetic, selects and branches. What is found is kept: a graph that
/// changes meanwhile must leave what its values are as it is.
class PossibleValues {
 public:
  using Numbers = std::optional<std::vector<double>>;

  /// What is in one or the other, unless that is too many.
  static Numbers either(const Numbers& a, const Numbers& b);

  explicit PossibleValues(const Graph& graph) : graph_(graph) {}

  /// Every number that `value` can be, if those are few and known.
  Numbers of(ValueId value);
  /// The same, of a scalar that an op makes, where its operand `known` is `number`.
  Numbers where(ValueId value, ValueId known, double number);

 private:
  std::vector<ValueId> needed_for(ValueId value) const;
  Numbers evaluate(ValueId value, ValueId known = {}, double number = 0);

  const Graph& graph_;
  std::unordered_map<ValueId, Numbers> found_;
};

}  // namespace lac::passes
