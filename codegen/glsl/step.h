// Ops other than launches that have shaders: draws and scans.
#pragma once

#include "codegen/glsl/options.h"
#include "ir/plan/shader.h"

namespace lac::codegen::glsl {

/// Whether `op` has shaders: `random` of uniform numbers and `scan`, of dense matrices in buffers. Any other op that is
/// not a launch is the host's. Normal numbers are too: their bits depend on the functions of the machine that draws.
bool has_shader(const Graph& plan, const Op& op);

/// The stages of an op that has_shader, without SPIR-V: inputs and outputs are its operands and results.
///
/// random: the bits of runtime/library/random.h. scan: `parts` of equal length of every lane are reduced, what comes
/// before each part is found, every part is scanned from there: the order of operations depends on the shape alone.
KernelShaders emit_step(const Graph& plan, OpId op, const GlslOptions& options);

// One file each.
KernelShaders emit_random(const Graph& plan, OpId op, const GlslOptions& options);
KernelShaders emit_scan(const Graph& plan, OpId op, const GlslOptions& options);

}  // namespace lac::codegen::glsl
