// The emission of single ops into lac_program. Each defines the op's results in the builder.
#pragma once

#include "codegen/llvm/program/builder.h"

namespace lac::codegen {

/// launch: slots, the Work of the launch, the call, scalar outputs read back.
void emit_launch(ProgramBuilder& p, OpId id);

/// library, scan, random, check, warn, print, format, output: one call with the step's number, values and sizes.
void emit_step(ProgramBuilder& p, OpId id);
/// A cursor (ir/plan/cursors.h), in place of its step.
void emit_cursor(ProgramBuilder& p, OpId id);
/// check and warn: the step runs only where operand 0 is false.
void emit_condition(ProgramBuilder& p, OpId id);

/// Stores to `p.work` what one launch of `kernel` reads, writes and computes; `operands` are its inputs.
void emit_work(ProgramBuilder& p, const Kernel& kernel, const std::vector<ValueId>& operands);

}  // namespace lac::codegen
