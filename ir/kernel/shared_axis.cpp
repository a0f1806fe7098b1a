#include "ir/kernel/shared_axis.h"

#include <algorithm>
#include <cstdlib>

namespace lac {
namespace {

AffineIndex own_place(Axis axis) {
  AffineIndex index;
  (axis == Axis::cols ? index.j : index.i) = 1;
  return index;
}

/// The dimension of what the instruction reloads that is the place on the axis of who stores it.
std::optional<Axis> reloaded_dimension(const Kernel& kernel, const Instr& instr) {
  for (const Nest& nest : kernel.ahead)
    if (const std::optional<Axis> dimension = shared_dimension(nest, instr.argument)) return dimension;
  return std::nullopt;
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

std::optional<std::int64_t> distance_along(Axis axis, const AccessMap& map, Axis dimension) {
  const bool rows = dimension == Axis::rows;
  if (map.linear || (rows ? map.row_gather : map.col_gather)) return std::nullopt;
  AffineIndex index = rows ? map.row : map.col;
  if (!index.base.is_constant()) return std::nullopt;
  const std::int64_t distance = index.base.constant();
  index.base = 0;
  return index == own_place(axis) ? std::optional(distance) : std::nullopt;
}

bool reads_own_strip(const Nest& nest, const AccessMap& map, Axis dimension) {
  return distance_along(nest.strips, map, dimension) == 0;
}

bool reads_at_entries(const AccessMap& map) {
  AffineIndex entry;
  entry.k = 1;
  return !map.row_gather && !map.linear && map.row == entry;
}

bool reads_within_reach(const Nest& nest, const AccessMap& map) {
  return nest.strips == Axis::rows && nest.contraction && nest.contraction->storage == Storage::csr &&
         !nest.contraction->reach.is(0) && reads_at_entries(map);
}

Size reach(const Kernel& kernel) {
  if (kernel.ahead.empty()) return 0;
  if (kernel.contraction)
    for (const Instr& instr : kernel.contraction->prologue)
      if (instr.kind == InstrKind::reload && reads_within_reach(kernel, instr.map)) return kernel.contraction->reach;
  std::int64_t farthest = 0;
  for (const Instr& instr : kernel.body) {
    if (instr.kind != InstrKind::reload) continue;
    const std::optional<Axis> dimension = reloaded_dimension(kernel, instr);
    const std::optional<std::int64_t> distance =
        dimension ? distance_along(kernel.strips, instr.map, *dimension) : std::nullopt;
    farthest = std::max(farthest, std::abs(distance.value_or(0)));
  }
  return farthest;
}

}  // namespace lac
