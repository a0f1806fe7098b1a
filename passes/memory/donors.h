// Which outputs of a kernel may take over the buffer of which input.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/kernel/kernel.h"

namespace lac::passes {

/// True if output `output` may live in the buffer of input `input`: same element and shape, the output is stored and
/// the input read at the same point only, outside the contraction; by nests before it anywhere in its own strip.
bool may_take_over(const Kernel& kernel, std::uint32_t output, std::uint32_t input);

/// Inputs that `output` may take over, best first: the one of the output's name, then in order.
std::vector<std::uint32_t> donors(const Kernel& kernel, std::uint32_t output);

}  // namespace lac::passes
