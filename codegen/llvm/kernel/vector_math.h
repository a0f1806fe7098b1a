// Calls of mathematical functions: libm for scalars, SLEEF for vectors.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "codegen/llvm/kernel/emitter.h"
#include "ir/plan/math_functions.h"

namespace lac::codegen {

/// Calls the function on operands of one type: float or double, scalar or vector. A vector is cut into the target's
/// native vectors, and a shorter rest is padded. A scalar float is computed in double and rounded, as `evaluate_as`
/// does.
llvm::Value* emit_math(llvm::IRBuilder<>& builder, const TargetOptions& target, const MathFunction& function,
                       llvm::ArrayRef<llvm::Value*> operands);

}  // namespace lac::codegen
