// Products by workgroups: strips of rows (matrix * vector), square tiles (matrix * matrix).
#pragma once

#include <array>

#include "codegen/glsl/kernel/contraction_term.h"
#include "codegen/glsl/kernel/walk.h"

namespace lac::codegen::glsl {

inline constexpr std::int64_t panel_depth = 16;  ///< values of k in shared memory at a time
/// A workgroup takes a strip of rows of one column. Each row is summed in `slices` interleaved parts (k, or the number
/// of a csr row's entry, modulo slices), which a tree in shared memory adds pairwise. Neighbouring invocations have
/// neighbouring k, entries of a row, or rows, whatever lies side by side in memory.
std::array<GroupCount, 3> emit_strips(StageWriter& writer, const KernelContext& context, const Visit& visit);

/// A workgroup takes a tile of the result; panels of both factors, 16 values of k at a time, go through shared memory,
/// and an invocation sums a block of 4x4 elements, or four of them, in registers, k ascending.
std::array<GroupCount, 3> emit_matrix_tiles(StageWriter& writer, const KernelContext& context, const Factors& factors,
                                            const Visit& visit);

/// Workgroups over the domain in tiles of that many points, few enough where the stage reduces.
std::array<GroupCount, 3> tile_groups(const KernelContext& context, bool reduces, std::int64_t tile_rows,
                                      std::int64_t tile_cols);

}  // namespace lac::codegen::glsl
