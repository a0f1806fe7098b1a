// Which linear systems straight code solves by a call of its own (lac_solve_in_frame).
#pragma once

#include <cstdint>

namespace lac {

/// Unknowns at most.
inline constexpr std::int64_t most_small_unknowns = 8;

}  // namespace lac
