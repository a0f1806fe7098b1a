// The checking mode of kernels (CodegenOptions::check_bounds): every access asserts the positions that it touches.
//
// The counts come from the runtime, which knows what it has allocated, and not from the sizes that the positions are
// computed with: sizes that wrapped are found as well. A kernel that fails says so (lac_outside) and returns at once.
// Nothing is emitted where the mode is off.
#pragma once

#include <string>

#include "codegen/llvm/kernel/function.h"

namespace lac::codegen {

/// Asserts that every position (an i64 or a vector of them) under the mask is below `count`; a null mask has all lanes.
/// `access` is for the message: "load of 'x'".
void check_positions(KernelFunction& f, const std::string& access, Value* positions, Value* mask, Value* count);

/// The words for an access to an input or output.
std::string load_of(const KernelFunction& f, std::uint32_t input);
std::string reload_of(const KernelFunction& f, std::uint32_t output);
std::string store_to(const KernelFunction& f, std::uint32_t output);

/// One position in an array of a sparse input.
void check_array_position(KernelFunction& f, std::uint32_t input, ArrayRole role, Value* position);

}  // namespace lac::codegen
