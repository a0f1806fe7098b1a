#include "ir/kernel/shared_axis.h"

namespace lac {
namespace {

AffineIndex own_place(const Nest& nest) {
  AffineIndex index;
  (nest.strips == Axis::cols ? index.j : index.i) = 1;
  return index;
}

std::optional<Axis> dimension_of(const Nest& nest, const AccessMap& map) {
  for (const Axis dimension : {Axis::rows, Axis::cols})
    if (reads_own_strip(nest, map, dimension)) return dimension;
  return std::nullopt;
}

}  // namespace

const Size& shared_extent(const Nest& nest) { return nest.strips == Axis::cols ? nest.cols : nest.rows; }

bool is_spread(const Nest& nest, const KernelReduction& reduction) {
  return nest.strips != Axis::all && reduction.reduction.axis == nest.strips;
}

std::optional<Axis> shared_dimension(const Nest& nest, std::uint32_t output) {
  std::optional<Axis> found;
  for (const KernelReduction& reduction : nest.reductions) {
    const bool makes = reduction.output == output || reduction.index_output == static_cast<std::int32_t>(output);
    if (!makes) continue;
    if (is_spread(nest, reduction) || reduction.reduction.axis == Axis::all) return std::nullopt;
    found = nest.strips;  // one result for each place on the axis, in that dimension
  }
  for (const Store& store : nest.stores) {
    if (store.output != output) continue;
    const std::optional<Axis> dimension = dimension_of(nest, store.map);
    if (!dimension || (found && found != dimension)) return std::nullopt;
    found = dimension;
  }
  return found;
}

bool reads_own_strip(const Nest& nest, const AccessMap& map, Axis dimension) {
  const bool rows = dimension == Axis::rows;
  const InstrId gather = rows ? map.row_gather : map.col_gather;
  return !map.linear && !gather && (rows ? map.row : map.col) == own_place(nest);
}

}  // namespace lac
