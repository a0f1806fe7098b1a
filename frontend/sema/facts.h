// What lowering knows about values beyond their types: ranges, bounds, the elements of literals.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/graph/graph.h"

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

/// Facts stay true wherever the value is visible. Copied with the Graph when an attempt is taken back.
class Facts {
 public:
  std::unordered_map<ValueId, RangeFact> ranges;
  std::unordered_map<ValueId, std::vector<ValueId>> written_ranges;  ///< base, increment, limit: Octave shows these
  std::unordered_map<ValueId, std::vector<ValueId>> literals;        ///< scalars of a matrix literal, column-major
  /// Dense matrices that Octave keeps as diagonal or permutation matrices: the diagonal as a column, the positions.
  std::unordered_map<ValueId, ValueId> diagonals;
  std::unordered_map<ValueId, PermutationFact> permutations;
  std::unordered_map<SymbolId, Size> upper;  ///< symbol <= size

  /// Whether size >= 0 can be proved from the symbols' bounds.
  bool nonnegative(const Graph& graph, const Size& size, int depth = 4) const;
  bool less_equal(const Graph& graph, const Size& a, const Size& b) const { return nonnegative(graph, b - a); }
  /// Sizes that are never equal, whatever the symbols.
  bool distinct(const Graph& graph, const Size& a, const Size& b) const;
  /// A size that cannot be 1, so that it never broadcasts.
  bool not_one(const Graph& graph, const Size& size) const { return distinct(graph, size, 1); }
};

}  // namespace lac::frontend
