// The one limit of rows, columns and element counts, and the arithmetic that keeps to it.
//
// An integer below 2^53 is exact as a double, in which programs compute sizes, and no other rounds to it; the bytes of
// as many elements are counted in int64 with room to spare. Whatever makes a matrix or runs over one asks here, so a
// position inside a matrix never overflows, and a proof about sizes as integers is one about the numbers of the run. A
// size that is not between -2^53 and 2^53 is `beyond_extents` with its sign: larger than any extent, and small enough
// that a few can be added.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>

#include "ir/types/size.h"

namespace lac {

inline constexpr std::int64_t largest_extent = (std::int64_t{1} << 53) - 1;
inline constexpr std::int64_t beyond_extents = std::int64_t{1} << 60;
/// No run gets that far: code may take it that trips are fewer.
inline constexpr std::int64_t most_trips_counted = std::int64_t{1} << 48;

/// Sparse storage has indices of 32 bits.
inline constexpr std::int64_t largest_sparse_extent = std::numeric_limits<std::int32_t>::max();

/// What an error says, in Octave's words, of a matrix that is larger or that memory does not hold.
inline constexpr std::string_view too_large_text = "out of memory or dimension too large for Octave's index type";

constexpr bool is_extent(std::int64_t number) { return number >= 0 && number <= largest_extent; }
constexpr bool is_sparse_extent(std::int64_t number) { return number >= 0 && number <= largest_sparse_extent; }

/// rows * cols where the three are extents.
constexpr std::optional<std::int64_t> checked_count(std::int64_t rows, std::int64_t cols) {
  if (!is_extent(rows) || !is_extent(cols)) return std::nullopt;
  if (rows > 0 && cols > largest_extent / rows) return std::nullopt;
  return rows * cols;
}

/// An integer scalar as sizes are computed from it: rounded to zero; NaN counts as 0.
inline std::int64_t size_of_number(double number) {
  constexpr auto largest = static_cast<double>(largest_extent);
  if (std::isnan(number)) return 0;
  if (number > largest) return beyond_extents;
  return number < -largest ? -beyond_extents : static_cast<std::int64_t>(number);
}

/// Whether integers hold the sum of a Size exactly, whatever its symbols are, if they are extents: a few symbols with
/// small factors.
bool is_integer_sum(const Size& size);

/// A sum of products as it was computed in double, with the sum of their magnitudes; of an integer sum of extents, that
/// sum, as exact as a double is.
struct SizeSum {
  double sum = 0, magnitude = 0;

  /// No part can have been rounded.
  bool exact() const { return magnitude <= static_cast<double>(largest_extent); }
  /// Rounding has left the sign and that the sum is beyond all extents.
  bool certainly_beyond() const {
    return std::abs(sum) > static_cast<double>(largest_extent) && std::abs(sum) > magnitude * 0x1p-40;
  }
  /// What rounding has eaten counts as too large.
  std::int64_t size() const {
    if (exact()) return static_cast<std::int64_t>(sum);
    return certainly_beyond() && sum < 0 ? -beyond_extents : beyond_extents;
  }
  /// The same as a number of the program: as large as it is in double.
  double number() const { return exact() || certainly_beyond() ? sum : static_cast<double>(beyond_extents); }
};

SizeSum evaluate_sum(const Size& size, const std::function<std::int64_t(SymbolId)>& value_of);

}  // namespace lac
