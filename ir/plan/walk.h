// How the domain of a kernel is cut into blocks and walked: decided from the kernel alone, before any code.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "ir/kernel/kernel.h"

namespace lac {

/// The axis of the domain that vectors run along is the lane axis: rows, but columns where there is only one row (and
/// the whole domain where it is walked as one vector). The other axis is walked one index at a time.
struct WalkPlan {
  enum class Order {
    lines,   ///< for each index of the other axis, all vectors along the lane axis
    strips,  ///< for each vector along the lane axis, all indices of the other axis
  };
  enum class Blocks {
    lanes,  ///< `block` elements of the lane axis, all of the other axis
    tiles,  ///< min(rows, block) x max(1, block / rows), column-major
    lines,  ///< max(1, block / rows) whole lines
    one,    ///< everything, in column-major order: stores may collide
    given,  ///< by who walks the nests of the kernel, strip by strip
  };

  bool flat = false;  ///< a matrix as one vector: the other axis has one index
  bool lanes_along_cols = false;
  Order order = Order::lines;
  Blocks blocks = Blocks::lanes;
  bool line_reductions = false;  ///< along the lane axis: one result for every line
  bool lane_reductions = false;  ///< along the other axis: one result for every lane
  std::int64_t block = 0;

  Size lane_extent, other_extent;  ///< empty lane_extent for flat: rows * cols
};

/// Of one nest of the kernel. Throws InternalError on kernels that the verifier should not have let pass.
WalkPlan plan_walk(const Kernel& kernel, const Nest& nest);

/// How the shared axis of several nests is cut, with `width` elements at each index. A block has `block` indices, or as
/// many as have `block` elements where its results need no partial ones; inside of it a strip has at most
///     max(shortest, strip / width), of which whole vectors where they run along the axis
///
/// Where the last nest reads `reach` indices beside its own, those ahead run ahead by as many, and a block has at least
/// `reaches_of_a_block` times `reach` indices and those of a strip. What the last nest would read of another block is a
/// part of the launch of its own, the seam between the two, with partial results of its own. With blocks of L indices
/// on an axis of n:
///     part p of B blocks, p < B:  ahead [pL, min(pL + L, n)),  last: the same without `reach` at each inner border
///     part B + s, a seam:         ahead nothing,               last [c - reach, min(c + reach, n)), c = (s + 1)L
/// and of a strip [first, end) of a block's own the last nest takes [first - reach, end - reach), of the last strip all
/// that is left. A call for several blocks runs the seams between them as soon as what they read is there; those where
/// two calls meet wait until all blocks are through.
/// A reach that only the run knows is far where no cache keeps what lies between, or where blocks of so many reaches
/// are long and fewer than `fewest_blocks`, so that threads would wait. Blocks keep their length then, have nothing of
/// the last nest, and wait for each other: part B + s has all that it has of block s. There are 2B parts, 2B - 1
/// otherwise.
struct StripPlan {
  std::int64_t block = 0, strip = 0, shortest = 1;
  bool whole_vectors = false, block_in_elements = false;
  Size reach;
  std::int64_t fewest_blocks = 0;
  Size extent, width;  ///< of the axis; of a matrix at one index of it

  bool has_seams() const { return !reach.is(0); }
};
StripPlan plan_strips(const Kernel& kernel);
inline constexpr std::int64_t reaches_of_a_block = 4;  ///< a seam takes two
/// A cache keeps what this many rows of a few vectors hold.
inline constexpr std::int64_t farthest_reach = 16384;
inline constexpr std::int64_t fewest_blocks_of_entries = 16;  ///< about as many as there are threads
/// The parts of a launch with seams.
struct PartCount {
  std::int64_t blocks = 0;
  bool is_far = false;

  static constexpr PartCount of(std::int64_t parts) { return {(parts + 1) / 2, parts > 0 && parts % 2 == 0}; }
  constexpr std::int64_t parts() const { return is_far ? 2 * blocks : std::max<std::int64_t>(2 * blocks - 1, 0); }
};
/// The rules above for numbers of a run; the reach in whole vectors where strips are.
struct StripLengths {
  std::int64_t reach, block, strip;
  bool is_far;
};
StripLengths strip_lengths(const StripPlan& plan, std::int64_t width, std::int64_t extent, std::int64_t reach);

/// How far apart in memory points read that are neighbours along the coordinates that step: a Size, or nothing where
/// they are not equally spaced.
std::optional<Size> lane_stride(const AccessMap& map, const Type& buffer, bool step_i, bool step_j, bool step_k);
/// How far an index goes when those coordinates do, before it is divided.
Size index_stride(const AffineIndex& index, bool step_i, bool step_j, bool step_k);

/// Where memory runs along the lane axis (A*x), a dense contraction has neighbouring results in its vectors and goes
/// through k in order; where it runs along k (A'*x), every result is a dot product over vectors of k. Short sums
/// (Schedule::sums) have neighbouring results in any case: they are too short for vectors of their own.
enum class DenseForm { lanes, dots };
DenseForm dense_form(const Kernel& kernel, const Nest& nest, const WalkPlan& plan);

/// How `count` accumulators become the first of them: calls add(to, from) for each addition. The upper half is added to
/// those before it, again and again.
template <class F>
void add_pairwise(std::int32_t count, F&& add) {
  for (; count > 1; count -= count / 2)
    for (std::int32_t half = count / 2, n = 0; n < half; ++n) add(count - 2 * half + n, count - half + n);
}

/// Points whose contraction is computed before the body looks at them: 0 where each vector does that for itself.
std::int64_t points_ahead(const Contraction& contraction);

/// Bytes of a matrix from which on no cache is expected to hold it until it is read: stores of whole vectors may go
/// past the caches then.
inline constexpr std::int64_t streamed_bytes = std::int64_t{32} << 20;
/// The output that is stored so: the only one of a kernel that reads a few matrices, at the place that it stores to.
/// With more streams a processor may give up lines before they are full, which takes many times as long.
std::optional<std::uint32_t> streamed_output(const Kernel& kernel);

/// The element that a reduction is carried in.
Element accumulator_element(const KernelReduction& reduction, const Kernel& kernel);

/// The number that an instruction always is, if it is one.
std::optional<double> constant_of(const Body& body, InstrId id);

}  // namespace lac
