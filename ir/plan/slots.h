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
  std::vector<std::uint32_t> slices;  ///< by input: the slot of its slices (takes_slices); 0: none
  std::uint32_t partials = 0;
  std::uint32_t count = 0;  ///< slots in all
};

/// What code that asserts its accesses has behind the `count` slots of everybody (i64 each, but the context a pointer).
struct CheckSlots {
  std::uint32_t context = 0;           ///< abi::Context*, for lac_outside
  std::uint32_t partials = 0;          ///< elements of the partials; lac_launch fills it
  std::vector<std::uint32_t> inputs;   ///< of each input: the elements of its arrays, in the order of its slots
  std::vector<std::uint32_t> outputs;  ///< of each output: its elements
  std::uint32_t count = 0;             ///< slots in all
};

/// Whether a nest of the kernel takes the rows of this input, a csr matrix, in slices where somebody has made them
/// (abi::Slices).
bool takes_slices(const Kernel& kernel, std::uint32_t input);
/// The distinct non-constant sizes that the kernel mentions, in order of first mention.
std::vector<Size> slot_sizes(const Kernel& kernel);
SlotLayout slot_layout(const Kernel& kernel);
/// What the kernel runs over and computes positions with, apart from the extents of matrices: those exist.
std::vector<Size> unproven_sizes(const Kernel& kernel);
CheckSlots check_slots(const Kernel& kernel);
/// How far CheckSlots::partials is behind SlotLayout::partials, in every kernel.
inline constexpr std::uint32_t check_partials_distance = 2;
/// Partial results of 8 bytes that each block writes, in the order of nests and reductions: one for every reduction
/// over all axes, two for arg reductions. Partial p of block b is at partials[p * blocks + b].
std::int64_t partial_count(const Kernel& kernel);
std::int64_t partial_count(const Nest& nest);
/// Behind those, one for each element of every output whose reduction is spread over strips (shared_axis.h): of all
/// blocks of the first output, then of the next. Element e of block b is the output's partial b * elements + e.
std::vector<std::uint32_t> spread_outputs(const Kernel& kernel);
bool has_partials(const Kernel& kernel);

}  // namespace lac
