// Which values lose their buffer to an op of the block: the base of an update in place, what grows where it is, what a
// loop carries. Who reads the old value must do so before, or the whole of it is copied first.
#pragma once

#include <limits>
#include <unordered_map>

#include "passes/fusion/access.h"

namespace lac::passes {

/// Every value that `op`, or an op in its arms, wants to take over. `growth`: what extends a matrix
/// does so too (Capabilities::growth_in_place).
void for_each_overwritten(const Graph& graph, const Op& op, bool growth, const std::function<void(ValueId)>& visit);

/// True if it is proven that no point of the update's kernel reads through `read` of the base what another point
/// stores. `extent`: how far k runs where the reader is a product.
bool reads_beside_stores(const Graph& graph, const Op& update, const Access& read, const Size& extent);

/// The range of k of a product; 1 for other ops.
Size contraction_extent(const Graph& graph, const Op& op);

/// Positions in one block.
class Overwrites {
 public:
  static constexpr int never = std::numeric_limits<int>::max();

  Overwrites(const Graph& graph, BlockId block, bool growth);

  /// Where the op stands in the block; -1 for ops of enclosing blocks.
  int position(OpId op) const;
  /// The first op of the block that takes the value over.
  int of(ValueId value) const;
  /// The slices that show, at an op with blocks of its own, a value that is taken over there or was before.
  std::vector<ValueId> old_slices(const Graph& graph, OpId region) const;

 private:
  std::unordered_map<OpId, int> positions_;
  std::unordered_map<ValueId, int> overwritten_;
  std::vector<std::pair<ValueId, int>> slices_;  ///< of values that are taken over later, with where
};

}  // namespace lac::passes
