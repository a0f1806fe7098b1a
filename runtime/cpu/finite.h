// RunOptions::check_nan: the first result that is not finite stops the run.
#pragma once

#include <cstdint>
#include <string>

#include "ir/plan/manifest.h"
#include "runtime/tensor/tensor.h"

namespace lac::runtime {

/// "error: NaN in x" (or Inf) for the first value that is not finite; empty where all are.
std::string not_finite(const Tensor& tensor, const std::string& name);
/// The same for what a launch left in its slots.
std::string not_finite(const KernelEntry& kernel, const std::uint64_t* slots);

}  // namespace lac::runtime
