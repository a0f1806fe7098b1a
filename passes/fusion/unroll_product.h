// A product as a nest over the axis that it sums.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/kernel/kernel.h"

namespace lac::passes {

/// A product sums along an axis that is none of its domain's. This is the same sum as a reduction over a domain that
/// has the axis, in the order in which memory runs; what the kernel computed of the sums is another kernel.
struct UnrolledProduct {
  Kernel sums;                             ///< its inputs; one output
  std::int32_t output = -1;                ///< of the kernel's: the sums themselves; -1: they are a new value
  std::optional<Kernel> rest;              ///< the kernel's other outputs, in order
  std::vector<std::uint32_t> rest_inputs;  ///< the kernel's; `rest` has them and then the sums
};
std::optional<UnrolledProduct> unroll_product(const Kernel& kernel);

}  // namespace lac::passes
