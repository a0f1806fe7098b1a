// A kernel that does nothing unless a scalar says so.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/kernel/kernel.h"

namespace lac {

struct Guard {
  std::uint32_t input;  ///< a logical scalar
  bool wanted;          ///< what it must be for the kernel to change anything
  friend bool operator==(const Guard&, const Guard&) = default;
};

/// Where all that a kernel stores is select(input, new, old), with the old element of the same place in what the output
/// starts from: where `input` is not as wanted all points may be left out. Of the first such input where there are
/// several; nothing of kernels with reductions, a contraction or several nests.
std::optional<Guard> guard_of(const Kernel& kernel);

/// By store: what a kernel stores where its guard, if it has one, is as wanted.
std::vector<InstrId> stored_values(const Kernel& kernel, const std::optional<Guard>& guard);

}  // namespace lac
