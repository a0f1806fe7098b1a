// Where the scalars of a plan live on a target whose kernels leave scalars on a device.
#pragma once

#include <cstdint>

#include "ir/graph/graph.h"

namespace lac {

enum class Place : std::uint8_t { host, device };

/// For every scalar value: `device` when a launch computes it, or a loop or branch hands such a one on (a carried
/// scalar is on the device as soon as its initial value or what the body yields is); `host` for everything else.
/// Meaningless for matrices. A kernel's scalar input is a parameter of the dispatch or an arena slot accordingly.
IdVector<ValueId, Place> scalar_places(const Graph& graph);

}  // namespace lac
