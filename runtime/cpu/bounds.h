// What the runtime does for code that asserts its accesses to memory (CodegenOptions::check_bounds).
#pragma once

#include <cstdint>

#include "runtime/cpu/context.h"

namespace lac::runtime {

/// The elements of `element_bytes` that a buffer was asked to have, whatever its memory could hold.
std::int64_t held_elements(const PoolBuffer& buffer, std::int64_t element_bytes);

/// Whether it has rows * cols elements; if not, the run has failed. For what the runtime itself reads.
bool holds(abi::Context* run, std::int32_t location, const PoolBuffer& buffer, std::int64_t rows, std::int64_t cols,
           std::int64_t element_bytes);

/// NaN (and true) in all elements of a fresh buffer: what nobody wrote is seen in the results.
void fill_unwritten(const PoolBuffer& buffer);

/// What a launch must know beforehand: the kernel's number for messages, the elements of its partials.
void prepare_checks(abi::Context* run, std::int32_t kernel, std::uint64_t* slots, std::int64_t blocks);

}  // namespace lac::runtime
