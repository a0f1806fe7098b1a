// Ops other than launches that have shaders: draws, scans and triangular solves.
#pragma once

#include "codegen/glsl/options.h"
#include "ir/plan/shader.h"

namespace lac::codegen::glsl {

/// Whether `op` has shaders, its dense operands and result being in buffers: `random` of uniform numbers, `scan`, and
/// `solve` with a square matrix whose type says lower or upper. Any other op that is not a launch is the host's. Normal
/// numbers are too: their bits depend on the functions of the machine that draws.
bool has_shader(const Graph& plan, const Op& op);

/// The stages of an op that has_shader, without SPIR-V: inputs and outputs are its operands and results.
///
/// random: the bits of runtime/library/random.h. scan: `parts` of equal length of every lane are reduced, what comes
/// before each part is found, every part is scanned from there: the order of operations depends on the shape alone.
/// solve: substitution by blocks of 32, a workgroup per right-hand side; no estimate of the condition and so no
/// warning.
KernelShaders emit_step(const Graph& plan, OpId op, const GlslOptions& options);

// One file each.
KernelShaders emit_random(const Graph& plan, OpId op, const GlslOptions& options);
KernelShaders emit_scan(const Graph& plan, OpId op, const GlslOptions& options);
KernelShaders emit_triangular_solve(const Graph& plan, OpId op, const GlslOptions& options);

}  // namespace lac::codegen::glsl
