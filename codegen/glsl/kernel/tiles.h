// Domains walked in square tiles: for kernels that read or write along rows as well as along columns (transposes).
//
// An access along rows touches one element of each of many lines of memory. Inside a tile the other elements of those
// lines are wanted soon after, by the same workgroup, while they are in its cache; so every line comes from memory
// once.
#pragma once

#include "codegen/glsl/kernel/walk.h"

namespace lac::codegen::glsl {

/// The loops over tiles and their points; as emit_points.
std::array<GroupCount, 3> emit_point_tiles(StageWriter& writer, const KernelContext& context, bool reduces,
                                           const Visit& visit);

}  // namespace lac::codegen::glsl
