// What lowering knows about values beyond their types: ranges, bounds, the elements of literals.
#pragma once

#include <optional>
#include <vector>

#include "ir/graph/graph.h"
#include "ir/support/persistent_map.h"

namespace lac::frontend {

/// A value known to be first, first + step, ... (count elements, as a row): an integer range of the source.
struct RangeFact {
  Size first, step, count;
  Size last = 0;  ///< the limit as written, of a range of the source
};

/// A matrix P with P(i, rows(i)) = 1 and zeros elsewhere, so that P*A = A(rows, :) and A*P = A(:, cols). Both are
/// 1-based positions; cols is the inverse of rows.
struct PermutationFact {
  ValueId rows, cols;
};

/// Facts stay true wherever the value is visible. A copy is cheap: one is kept to take an attempt back.
class Facts {
 public:
  PersistentMap<ValueId, RangeFact> ranges;
  PersistentMap<ValueId, std::vector<ValueId>> written_ranges;  ///< base, increment, limit: Octave shows these
  PersistentMap<ValueId, std::vector<ValueId>> literals;  ///< those that are no tables: their scalars, column-major
  /// Dense matrices that Octave keeps as diagonal or permutation matrices: the diagonal as a column, the positions.
  PersistentMap<ValueId, ValueId> diagonals;
  PersistentMap<ValueId, PermutationFact> permutations;
  PersistentMap<SymbolId, Size> upper;    ///< symbol <= size
  PersistentMap<SymbolId, Size> clamped;  ///< symbol = max(size, 0)

  /// Whether size >= 0 can be proved from the symbols' bounds.
  bool nonnegative(const Graph& graph, const Size& size, int depth = 4) const;
  bool less_equal(const Graph& graph, const Size& a, const Size& b) const { return nonnegative(graph, b - a); }
  /// What `size` is where it is positive: max(n - 1, 0) is n - 1.
  Size where_positive(const Size& size) const;
  /// Sizes that are never equal, whatever the symbols.
  bool distinct(const Graph& graph, const Size& a, const Size& b) const;
  /// A size that cannot be 1, so that it never broadcasts.
  bool not_one(const Graph& graph, const Size& size) const { return distinct(graph, size, 1); }
};

}  // namespace lac::frontend
