// Which scalars of a Graph may be -0: an i64 has one zero, so what is carried as one must not be told from +0.
#pragma once

#include <vector>

#include "ir/graph/graph.h"
#include "ir/graph/intervals.h"

namespace lac {

class SignedZeros {
 public:
  /// `intervals` are settled.
  SignedZeros(const Graph& graph, Intervals& intervals);

  bool may_be_negative_zero(ValueId value) const { return found_[value.index]; }

 private:
  bool visit(BlockId block);
  bool set(ValueId value, bool may);
  bool of_op(const Op& op, std::size_t result) const;
  bool of_map(const Op& op) const;
  bool of_product(ValueId a, ValueId b) const;
  bool is_positive(ValueId value) const { return bounds(value).low > 0; }
  bool is_not_negative(ValueId value) const { return bounds(value).low >= 0; }
  Interval bounds(ValueId value) const { return intervals_.of(value); }

  const Graph& graph_;
  Intervals& intervals_;
  std::vector<bool> found_;  ///< by value: grows until nothing changes
};

}  // namespace lac
