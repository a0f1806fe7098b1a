// A kernel whose schedule is a point: scalar code without loops.
#pragma once

#include "codegen/llvm/kernel_function.h"

namespace lac::codegen {

/// Emits loads, body and stores of the one point here.
void emit_point(KernelFunction& f);

}  // namespace lac::codegen
