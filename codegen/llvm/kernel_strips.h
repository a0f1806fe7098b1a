// Kernels with several nests: all of them over one strip of the axis that they share, then over the next.
#pragma once

#include "codegen/llvm/kernel_function.h"

namespace lac::codegen {

/// How many blocks the kernel has (i64).
Value* emit_strip_parts(KernelFunction& f);

/// Everything inside NAME after its slots are read.
void emit_strips(KernelFunction& f, Value* first_block, Value* last_block);

}  // namespace lac::codegen
