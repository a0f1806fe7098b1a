// What lowering knows about values beyond their types: ranges, bounds, the elements of literals.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/graph/graph.h"
#include "ir/support/data_form.h"
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

/// A symbol that is mod(dividend, most + 1): at most `most` where the dividend is an extent.
struct RestFact {
  ValueId dividend;
  Size most;
};

/// Sizes that symbols lie between.
class Bounds {
 public:
  struct Of {
    std::vector<Size> above, below;  ///< symbol <= each of `above`, symbol >= each of `below`
  };

  /// The first few are kept: those of a definition come before those of its uses.
  void add(SymbolId symbol, const Size& bound, bool above);
  const Of* of(SymbolId symbol) const;

 private:
  PersistentMap<SymbolId, Of> bounds_;
};

/// True from the check on that made sure of it to the end of its block.
struct Checked {
  Bounds bounds;
  PersistentMap<std::string, ValueId> integers;  ///< scalars that are whole numbers, as integers, by what computes them
  PersistentMap<std::string, ValueId> elements;  ///< elements that were read, by what names them
  PersistentMap<std::string, ValueId> found;  ///< positions of true elements, by what computes the mask (value_text.h)
  PersistentMap<ValueId, double> multiples;   ///< integer scalars that are NaN or multiples of this
};

/// Facts stay true wherever the value is visible, but for what is `checked`. A copy is cheap: one is kept to take an
/// attempt back.
class Facts {
 public:
  PersistentMap<ValueId, RangeFact> ranges;
  PersistentMap<ValueId, std::vector<ValueId>> written_ranges;  ///< base, increment, limit: Octave shows these
  PersistentMap<ValueId, std::vector<ValueId>> literals;  ///< those that are no tables: their scalars, column-major
  /// Dense matrices that Octave keeps as diagonal or permutation matrices: the diagonal as a column, the positions.
  PersistentMap<ValueId, ValueId> diagonals;
  PersistentMap<ValueId, PermutationFact> permutations;
  PersistentMap<ValueId, bool> maybe_masks;    ///< logical on one path and numbers on another, held as numbers
  PersistentMap<ValueId, bool> maybe_nothing;  ///< codes, held as 1x0, of what is "" on some path, which is 0x0
  PersistentMap<ValueId, bool> plain_zeros;    ///< numbers of an integer class: none is -0
  /// Imaginary parts to the real parts beside which they are what `complex` has made (is_kept_complex).
  PersistentMap<ValueId, ValueId> kept_complex;
  PersistentMap<std::string, bool> warnings;         ///< whether the program has switched this one on, or off, or "all"
  PersistentMap<std::string, FileForm> saved_files;  ///< what `save` has written, by path_key (builtins/files.h)
  PersistentMap<SymbolId, Size> clamped;             ///< symbol = max(size, 0)
  PersistentMap<SymbolId, RestFact> rests;           ///< whose dividends may be beyond all extents
  /// What the checks before the place at hand have made sure of.
  Checked checked;

  void at_most(SymbolId symbol, const Size& bound) { always_.add(symbol, bound, true); }
  void at_least(SymbolId symbol, const Size& bound) { always_.add(symbol, bound, false); }
  /// The first that was noted, wherever the symbol is visible.
  const Size* upper_bound(SymbolId symbol) const;

  /// A check has made sure of size >= 0.
  void note_nonnegative(const Size& size);

  /// Whether size >= 0 can be proved from the symbols' bounds, wherever it is visible: a size that stands in a type may
  /// leave the block.
  bool nonnegative(const Graph& graph, const Size& size) const;
  /// The same at this place, where checks before it count as well: of positions, not of sizes.
  bool nonnegative_here(const Graph& graph, const Size& size) const;
  bool less_equal(const Graph& graph, const Size& a, const Size& b) const { return nonnegative(graph, b - a); }
  /// What `size` is where it is positive: max(n - 1, 0) is n - 1.
  Size where_positive(const Size& size) const;
  /// Sizes that are never equal, whatever the symbols.
  bool distinct(const Graph& graph, const Size& a, const Size& b) const;
  /// A size that cannot be 1, so that it never broadcasts.
  bool not_one(const Graph& graph, const Size& size) const { return distinct(graph, size, 1); }

 private:
  class Proof;
  Bounds always_;
};

}  // namespace lac::frontend
