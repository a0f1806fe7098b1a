// Where a kernel is not at the border of what it reads: most points of a stencil, and the walk over them asks nothing.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/kernel/kernel.h"

namespace lac {

/// first - second, both of them sizes that the kernel mentions or numbers.
struct SizeDifference {
  Size first = 0, second = 0;
};

/// low <= coordinate < high for each of these.
struct CoordinateBounds {
  std::vector<SizeDifference> low, high;
};

/// A part of the domain in which loads with OutOfRange::fill are in range, and tests of coordinates against sizes have
/// the answer that most points have.
struct Interior {
  CoordinateBounds i, j;
  std::unordered_set<InstrId> in_range;  ///< loads of the body
  std::unordered_map<InstrId, bool> answers;
  /// Loads that are the first to come to a column of their input, where others come to it again: what is not in a cache
  /// yet.
  std::unordered_set<InstrId> leading;
};

/// Of one nest of the kernel. Nothing where there is no such load, or no such part.
std::optional<Interior> interior_of(const Kernel& kernel, const Nest& nest);

}  // namespace lac
