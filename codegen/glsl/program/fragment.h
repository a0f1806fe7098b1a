// Kernels as render passes over packed textures (see ir/plan/fragment.h).
#pragma once

#include <optional>
#include <string>

#include "codegen/glsl/options.h"
#include "ir/plan/fragment.h"
#include "ir/support/result.h"

namespace lac::codegen::glsl {

/// Why a plan cannot run as render passes, and where in the source: a store elsewhere than at its own point, a
/// reduction along one axis or with a position, compressed rows, matrices in double precision, more render targets than
/// devices have.
struct FragmentObstacle {
  std::string reason;
  LocationId where = {};
};
/// Of the first kernel that has one.
std::optional<FragmentObstacle> fragment_obstacle(const Graph& plan);

/// The passes of every launch, with their SPIR-V. A Failure is that of fragment_obstacle, or names a kernel with more
/// parameters than push constants hold.
Result<FragmentProgram> compile_fragments(const Plan& plan, const GlslOptions& options);

}  // namespace lac::codegen::glsl
