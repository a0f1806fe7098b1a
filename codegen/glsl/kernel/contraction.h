// The contraction c(i, j) of a kernel: by one invocation for its point, or by workgroups for tiles of points.
//
// Order of summation, fixed by sizes alone (csr: and by the number of entries). per_invocation: k ascending (csr: as
// stored; diagonal: offsets ascending). tiled: see product.h. Multiply-adds are fma.
#pragma once

#include <array>
#include <string>

#include "codegen/glsl/kernel/access.h"
#include "codegen/glsl/kernel/walk.h"

namespace lac::codegen::glsl {

/// c at this point, summed by this invocation: the name of its register. Emits no barrier.
std::string emit_contraction(StageWriter& writer, const KernelContext& context, const Point& point);

/// The loop over the tiles of this workgroup; `visit` is called once, with coordinates and c of a point that is in the
/// domain. The loop holds barriers: it must stand where all invocations of the workgroup come by; what `visit` emits
/// runs in part of them (no barriers there). Returns the stage's workgroups: two axes where the domain is a matrix, at
/// most options.max_groups together (and at least one) where the kernel has reductions.
std::array<GroupCount, 3> emit_tiles(StageWriter& writer, const KernelContext& context, const Visit& visit);

}  // namespace lac::codegen::glsl
