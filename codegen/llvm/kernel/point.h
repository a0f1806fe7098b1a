// Kernels whose code stands in a function with other code.
#pragma once

#include "codegen/llvm/kernel/function.h"

namespace lac::codegen {

/// A kernel whose schedule is a point: loads, body and stores of the one point, scalar code without loops.
void emit_point(KernelFunction& f);

/// A small kernel (ir/plan/plan.h): its one block as NAME and NAME_finish compute it, so results have the same bits.
void emit_block(KernelFunction& f);
/// About how many vectors and terms of sums that is.
std::int64_t vectors_of_block(const Kernel& kernel);

}  // namespace lac::codegen
