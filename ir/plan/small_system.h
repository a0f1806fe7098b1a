// Which linear systems straight code solves by a call of its own (lac_solve_in_frame), and which matrices it inverts.
#pragma once

#include <cstdint>

#include "ir/plan/plan.h"

namespace lac {

/// Unknowns at most.
inline constexpr std::int64_t most_small_unknowns = 8;

/// A small step `solve` of a square system of as many unknowns, all of one floating type.
bool solves_few(const Graph& plan, const Op& step);
/// A small step `inverse` or `det` of a matrix of as many rows whose condition number nobody reads.
bool inverts_few(const Graph& plan, const Op& step);

}  // namespace lac
