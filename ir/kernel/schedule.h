// How a kernel's domain is walked, on every target: decided by passes, translated by code generators.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "ir/graph/attributes.h"

namespace lac {

/// Elements per vector, and accumulators of a reduction (Schedule::lanes).
inline constexpr unsigned kernel_lanes = 16;

/// How a processor walks the domain; decided by pass `schedule`.
enum class Traversal : std::uint8_t {
  flat,     ///< the domain as one vector of rows*cols elements: every map is the identity or a scalar
  columns,  ///< column by column, vectors along rows
  rows,     ///< strips of rows, all columns of a strip inside: products with a matrix, reductions along cols
  point,    ///< the one point of the domain: scalar code, which may stand in the program itself
};
inline constexpr std::array<std::string_view, 4> traversal_names = {"flat", "columns", "rows", "point"};

/// Accumulators of a point of a contraction (Schedule::sums), at most.
inline constexpr std::int32_t most_sums = 4;

/// Invocations of a workgroup.
inline constexpr std::uint32_t workgroup_size = 256;
/// Terms from which on a dense sum has the most slices, where the run chooses.
inline constexpr std::int64_t long_sum = 8192;
/// The side of a square tile, in points: a line of memory in singles.
inline constexpr std::int64_t tile_side = 32;

/// How the workgroups of a device walk it; decided by pass `schedule_groups`.
enum class GroupWalk : std::uint8_t {
  none,         ///< not decided: no device runs the kernel
  points,       ///< an invocation takes single points, in column-major order, striding over the domain
  tiles,        ///< a workgroup takes square tiles: what reads along rows has its lines of memory near
  contraction,  ///< a workgroup sums the contraction of a tile or a strip of points together (GroupSums)
  lines,        ///< an invocation takes a whole line along the reduced axis
  group_lines,  ///< a workgroup takes a whole line, its invocations striding over it
  strips,       ///< a workgroup takes a strip of rows, several invocations each row
  texels,       ///< an invocation takes the four points of a texel
};
inline constexpr std::array<std::string_view, 8> group_walk_names = {"none",  "points",      "tiles",  "contraction",
                                                                     "lines", "group_lines", "strips", "texels"};

/// How a workgroup shares out sums where the walk is `contraction`, and in stages that sum parts ahead.
struct GroupSums {
  enum class Form : std::uint8_t {
    none,    ///< it does not: there is no contraction, or one of diagonals
    blocks,  ///< of a tile: a block of points each, panels of both factors in shared memory, k ascending
    slices,  ///< of a strip of rows: each row in interleaved slices of its terms, which a tree adds pairwise
  };
  Form form = Form::none;
  bool along_k = false;  ///< slices: neighbouring invocations have neighbouring k; else neighbouring rows
  /// Slices of a row, powers of two: where they differ the run chooses by how long the sums are.
  std::int32_t fewest = 1, most = 1;
  std::int32_t of_parts = 1;  ///< slices of a row where long sums are cut into parts (stages that split)
  std::int32_t rows = 1;      ///< of a workgroup that is launched
};

inline constexpr std::array<std::string_view, 3> sum_form_names = {"none", "blocks", "slices"};

struct GroupSchedule {
  GroupWalk walk = GroupWalk::none;
  Axis reduced = Axis::all;  ///< lines, group_lines, strips: the axis that they run along
  GroupSums sums = {};
};

/// Blocks are the unit of threads and the first level of every reduction; their partial results are combined in block
/// order. They depend on sizes alone. flat: `block` elements each. rows: `block` rows each. columns: tiles of
/// min(rows, block) rows by max(1, block / rows) columns in column-major order, or whole columns where a reduction
/// along rows needs them. Inside a block, vector element e goes to accumulator e mod `lanes`; lanes are added pairwise
/// at the block's end. point: one block, one lane.
///
/// Several nests: a block is a range of the shared axis, each index of which has `width` elements, and inside of it a
/// strip takes as many indices as have `strip` elements (ir/plan/walk.h, StripPlan). A reduction along the shared axis
/// is combined strip by strip into one partial result of the block for each of its elements.
struct Schedule {
  Traversal traversal = Traversal::columns;
  std::int64_t block = 0;
  std::int32_t lanes = 16;
  /// Of a contraction of few terms at few points, whose sums would wait for themselves: accumulators of a point. Term k
  /// goes to accumulator k mod `sums`, and they are added by add_pairwise. 0: the sum goes through k as DenseForm says.
  std::int32_t sums = 0;
  std::int64_t strip = 0;  ///< elements that a cache holds; 0 where there is one nest
  Size width = 0;          ///< elements of a matrix at one index of the shared axis
  bool decided = false;
  GroupSchedule groups = {};
};

}  // namespace lac
