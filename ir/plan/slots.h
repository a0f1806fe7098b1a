// The argument slots of a kernel (see plan/abi.h): one layout for the code that fills them and the code that reads
// them.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/kernel/kernel.h"

namespace lac {

struct SlotLayout {
  std::vector<std::uint32_t> inputs;   ///< first slot of each input
  std::vector<std::uint32_t> outputs;  ///< slot of each output
  std::uint32_t first_size = 0;
  std::uint32_t partials = 0;
  std::uint32_t count = 0;  ///< slots in all
};

/// The distinct non-constant sizes that the kernel mentions, in order of first mention.
std::vector<Size> slot_sizes(const Kernel& kernel);
SlotLayout slot_layout(const Kernel& kernel);
/// Partial results of 8 bytes that each block writes: one for every reduction over all axes, two for arg reductions.
/// Partial p of block b is at partials[p * blocks + b].
std::int64_t partial_count(const Kernel& kernel);

}  // namespace lac
