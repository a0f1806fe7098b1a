// From a whole Plan to an LLVM module: kernels, and `int32_t lac_program(Context*)` that runs them (plan/abi.h).
//
// In lac_program a scalar is an SSA value (logical i1, single float, integer and real double), a matrix a Buffer*; an
// extent is computed from its Size where it is needed. Loops and branches of the Plan are loops and branches of the
// function; every call that can fail is followed by a branch to one exit that returns its status.
#pragma once

#include "codegen/llvm/kernel/emitter.h"
#include "ir/plan/plan.h"

namespace lac::codegen {

inline constexpr const char* program_name = "lac_program";
inline constexpr const char* loop_name = "lac_loop";
/// What either calls: the walk of the plan.
inline constexpr const char* body_name = "lac_program_body";

/// Adds lac_program, which launches kernels by number. `plan` is in phase plan; where Op::reuse is empty a result gets
/// a buffer of its own. Throws InternalError on an op that has no place in a plan.
void emit_program(llvm::Module& module, const Plan& plan, const TargetOptions& target);

/// Adds lac_loop: the rest of one loop, from the start of a trip on (runtime::LoopFunction).
void emit_loop(llvm::Module& module, const Plan& plan, OpId loop, const TargetOptions& target);

}  // namespace lac::codegen
