// The axis that the nests of a kernel share, of which all take one strip before the next.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/kernel/kernel.h"

namespace lac {

/// The extent of the axis in this nest's domain.
const Size& shared_extent(const Nest& nest);

/// Whether the reduction's results wait for all strips: it runs along the axis that is cut into them.
bool is_spread(const Nest& nest, const KernelReduction& reduction);

/// Fewer indices are no strip: of rows, along which vectors run, memory is read in pieces then.
inline std::int64_t shortest_strip(Axis strips) { return strips == Axis::rows ? 2 * kernel_lanes : 1; }

/// The dimension of the output (rows or cols) whose index is the nest's place on the axis, wherever it writes; nothing
/// where there is none: it does not write it, or its results wait for all strips.
std::optional<Axis> shared_dimension(const Nest& nest, std::uint32_t output);

/// How far behind a point's own place on the axis (rows or cols) of the domain `map` is in that dimension (before it:
/// negative); nothing where it does not follow the point, or at no constant distance.
std::optional<std::int64_t> distance_along(Axis axis, const AccessMap& map, Axis dimension);
/// Whether `map` reads at the nest's own place on the axis, in that dimension.
bool reads_own_strip(const Nest& nest, const AccessMap& map, Axis dimension);

/// Whether `map` reads at row k, which a csr product has at each entry of a row.
bool reads_at_entries(const AccessMap& map);
/// Whether the nest reads at k, for the entries of a csr matrix of known reach: that far beside its own row at most.
bool reads_within_reach(const Nest& nest, const AccessMap& map);

/// How far beside its own place on the axis the last nest reloads what those ahead store, at most: it follows them at
/// that distance. 0: at its own place only.
Size reach(const Kernel& kernel);
/// Of neighbours, columns away; a longer one keeps no strip in a cache.
inline constexpr std::int64_t most_reach = 8;

}  // namespace lac
