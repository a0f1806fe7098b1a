// Where the scalars of a plan live on a target whose kernels leave scalars on a device.
#pragma once

#include <cstdint>

#include "ir/graph/graph.h"

namespace lac {

enum class Place : std::uint8_t { host, device };

/// For every scalar value: `device` when a launch computes it, when a loop or branch hands such a one on (a carried
/// scalar is on the device as soon as its initial value or what the body yields is), or when a branch chooses it on a
/// condition that is on the device; `host` for everything else. A host value that is handed on to a device one is
/// written to its slot. Meaningless for matrices. A kernel's scalar input is a parameter of the dispatch or an arena
/// slot accordingly.
IdVector<ValueId, Place> scalar_places(const Graph& graph);

}  // namespace lac
