// Kernels with several nests: all of them over one strip of the axis that they share, then over the next.
#pragma once

#include "codegen/llvm/kernel/function.h"

namespace lac::codegen {

/// How many parts a launch has (i64): blocks, and the seams behind them (StripPlan).
Value* emit_strip_parts(KernelFunction& f);

/// Everything inside NAME after its slots are read.
void emit_strips(KernelFunction& f, Value* first_part, Value* last_part);

}  // namespace lac::codegen
