// What nests read back of the nest before them, computed again instead.
#pragma once

#include <cstdint>

#include "ir/kernel/kernel.h"

namespace lac::passes {

/// Computes again, in the nests that reload it, what `output` holds, and drops the output: nobody else wants it. False,
/// and nothing is changed, where that takes more than reading it back, or more than its nest has.
bool recompute(Kernel& kernel, std::uint32_t output);

}  // namespace lac::passes
