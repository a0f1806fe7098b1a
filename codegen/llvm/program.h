// From a whole Plan to LLVM modules: kernels, and `int32_t lac_program(Context*)` that runs them (plan/abi.h).
//
// In lac_program a scalar is an SSA value (logical i1, single float, integer and real double), a matrix a Buffer*; an
// extent is computed from its Size where it is needed. Loops and branches of the Plan are loops and branches of the
// function; every call that can fail is followed by a branch to one exit that returns its status.
#pragma once

#include <cstdint>

#include "codegen/llvm/kernel_emitter.h"
#include "ir/graph/graph.h"

namespace lac::codegen {

inline constexpr const char* program_name = "lac_program";
/// What lac_program calls: the walk of the plan.
inline constexpr const char* body_name = "lac_program_body";

/// A Plan can be compiled as several modules at once. Each has a share of the kernels; the first one has lac_program.
/// Where there is one module its kernels are internal to it.
struct Part {
  std::uint32_t index = 0;
  std::uint32_t count = 1;
};

/// Adds what belongs to `part` to `module`. `plan` is in phase plan; where Op::reuse is empty a result gets a buffer of
/// its own. Throws InternalError on an op that has no place in a plan.
void emit_part(llvm::Module& module, const Graph& plan, Part part, const TargetOptions& target);

}  // namespace lac::codegen
