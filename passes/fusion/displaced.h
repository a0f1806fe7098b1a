// Instructions of a body that compute what another one computes at a neighbouring point.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/kernel/kernel.h"

namespace lac::passes {

/// Rows and columns from a point to another.
struct Displacement {
  std::int64_t rows = 0, cols = 0;
  friend bool operator==(const Displacement&, const Displacement&) = default;
};

/// Where `copy` computes what `value` computes here, as far as all it loads is in range there. Nothing where it does
/// not, or where `value` loads no matrix.
std::optional<Displacement> displacement(const Kernel& kernel, const Nest& nest, InstrId value, InstrId copy);

/// Whether stores and reductions ignore `id` wherever its point, displaced so, is outside of the domain: selects do.
bool is_ignored_outside(const Nest& nest, InstrId id, const Displacement& displacement);

}  // namespace lac::passes
