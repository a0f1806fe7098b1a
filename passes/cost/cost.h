// What work costs. Every pass that weighs operations against memory asks here, and no other file of passes holds a
// number that says what pays. (Limits that only bound compile time stand where they are used, and say so.)
//
// The unit of time is a quick operation (an addition) at one point of a vectorised kernel. Only ratios matter. Measured
// on one core with 256-bit vectors, in doubles and singles: a word from memory takes 12 to 22 and 8 to 13 of them, a
// word from the second cache 7 and 5, a division 9 and 5, a root 19 and 8. Where all cores share the memory its words
// take longer.
#pragma once

#include <cstdint>

#include "ir/graph/graph.h"

namespace lac::passes::cost {

using Time = std::int64_t;

inline constexpr Time word = 16;        ///< of a matrix, read from memory or written to it
inline constexpr Time cached_word = 6;  ///< read from the second cache, where a nest before it has left it

/// The column `work` of scalar_ops.def.
enum class Work : std::uint8_t { quick, division, root, function };

Time time_of(ScalarOp op);
/// Of one element of what the op makes. Elementwise ops; views, fills and other ops compute nothing.
Time time_of(const Op& op);

// -- passes over memory -----------------------------------------------------------------------------------------------

/// What a kernel does at each point: distinct words that it reads and writes, and the time of its operations.
struct Pass {
  std::int64_t words = 0;
  Time operations = 0;
};

/// A kernel computes while it waits for memory: the slower of the two counts.
constexpr Time time(const Pass& pass) {
  const Time memory = pass.words * word;
  return memory > pass.operations ? memory : pass.operations;
}

/// Computing a value takes no longer than so many words of it.
constexpr bool is_as_fast_as_words(Time operations, std::int64_t words) { return operations <= words * word; }
/// It is computed again wherever it is read, instead of being read.
constexpr bool is_as_fast_as_reading(Time operations) { return is_as_fast_as_words(operations, 1); }

/// Something moves fewer words, or as many and saves a launch.
constexpr bool saves_words(std::int64_t saved, std::int64_t added) { return saved > 0 && added <= saved; }

/// Of a value that one pass makes and another reads: the store and the load, which go where both become one.
inline constexpr std::int64_t words_of_handing_on = 2;

/// A value that a stencil reads at its neighbours.
struct Spread {
  Time operations = 0;          ///< of one element
  std::int64_t sources = 0;     ///< matrices in memory that it is computed from
  std::int64_t neighbours = 0;  ///< at which it is read, besides its own place
  bool is_stored = false;       ///< whoever reads it
};
/// One pass that computes it at every neighbour beats one that makes it and one that reads it.
bool spreading_pays(const Spread& value);

/// Values that are stored for a later pass alone.
struct Repetition {
  std::int64_t values = 1;
  Time operations = 0;
  std::int64_t words_added = 0;  ///< that the later pass reads for them and would not read otherwise
  Pass later;                    ///< without the values
};
/// The later pass computes them again.
bool repeating_pays(const Repetition& value);

/// What storing into, or reading, the true elements of a mask takes for each element of the mask where their positions
/// are found first: `find` looks at one after the other.
inline constexpr std::int64_t words_of_positions = 4;

// -- nests of one kernel ----------------------------------------------------------------------------------------------

/// Bytes of a strip: a part of the second cache, half of the smallest one (1 MiB) that is common.
inline constexpr std::int64_t strip_bytes = 512 << 10;
/// A matrix of less bytes stays in the second cache between two kernels. Measured with 2 MiB of it: products of smaller
/// ones in kernels of their own, which keep more sums in registers, win.
inline constexpr std::int64_t kept_bytes = 2 << 20;

/// What one nest makes and `readers` later ones read from the cache is computed again by each, from so many words of
/// matrices that the cache has: then it is neither written to memory nor read again.
bool recomputing_in_strips_pays(Time operations, std::int64_t matrix_words, std::int64_t readers);

/// A stencil that computes a value at so many neighbours reads it there instead, from a nest ahead of its own. Two
/// loops over every column take what one neighbour does.
constexpr bool splitting_pays(std::int64_t neighbours) { return neighbours >= 2; }
/// A matrix that the first cache holds gains nothing.
bool is_long_enough_for_nests(const Size& rows, const Size& cols);

// -- scalars and small matrices ---------------------------------------------------------------------------------------

/// Scalar operations, each of which waits for the one before, that take as long as a branch that is guessed wrong (some
/// twenty cycles). A device that needs no branch does not ask the host either.
inline constexpr std::int64_t branch = 4;

/// Multiplications of a product that take as long as calling BLAS does: an 8x8 matrix times another.
inline constexpr std::int64_t library_call = 512;

/// Products with one matrix go over it together. Of few elements, the products are code of the program; with 100 sparse
/// rows two sums in one loop took 1.2 to 1.4 of the time of two loops, with 1,000 no more than that.
inline bool sharing_pays(const Type& matrix) {
  const Size elements = matrix.is_sparse() ? matrix.rows : matrix.count();
  return !elements.is_constant() || elements.constant() > 512;
}

/// Terms of a sum that a kernel writes out, and lines of a matrix that it takes one by one: the vectors fit registers.
inline constexpr std::int64_t few_terms = 4;

/// Accumulators of each of `points` sums of `terms` products, of elements of `bytes` (Schedule::sums): so many that the
/// sums are there soonest. Vectors of 32 bytes, whatever the machine has: bits may not depend on it.
std::int32_t accumulators(std::int64_t points, std::int64_t bytes, std::int64_t terms);

/// Of an m x k matrix times a k x n one, all of which come from memory. Extents are any: `most_time` at most.
Time product_time(std::int64_t m, std::int64_t k, std::int64_t n);
inline constexpr Time most_time = Time{1} << 50;

/// Positions along an axis that an update leaves to its base, and that copying moves all the same: next to the words
/// that an update saves where it is part of a pass (one a position at least) they are nothing.
inline constexpr std::int64_t few_positions = 8;

}  // namespace lac::passes::cost
