// The shaders of steps that a device does (ir/plan/device_steps.h).
#pragma once

#include "codegen/glsl/options.h"
#include "ir/plan/shader.h"

namespace lac::codegen::glsl {

/// The stages of a step, without SPIR-V: inputs and outputs are its operands and results.
///
/// draw: the bits of runtime/steps/arrays/random.h. scan: `parts` of equal length of every lane are reduced, what comes
/// before each part is found, every part is scanned from there: the order of operations depends on the shape alone.
/// triangular_solve: substitution by blocks of 32, a workgroup per right-hand side; no estimate of the condition and so
/// no warning. sort: each element's place is the number of those before it, a turn for each of the line; equal ones
/// keep their order. accumulate: each result looks at all positions, so that what it sums up is in order. Both only up
/// to a few thousand (KernelShaders::bounds).
KernelShaders emit_step(const Graph& plan, OpId op, const GlslOptions& options);

// One file each.
KernelShaders emit_random(const Graph& plan, OpId op, const GlslOptions& options);
KernelShaders emit_scan(const Graph& plan, OpId op, const GlslOptions& options);
KernelShaders emit_triangular_solve(const Graph& plan, OpId op, const GlslOptions& options);
KernelShaders emit_sort(const Graph& plan, OpId op, const GlslOptions& options);
KernelShaders emit_accumulate(const Graph& plan, OpId op, const GlslOptions& options);

}  // namespace lac::codegen::glsl
