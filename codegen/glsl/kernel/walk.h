// How the points of a domain are shared out among invocations.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "codegen/glsl/kernel/access.h"

namespace lac::codegen::glsl {

inline constexpr std::uint32_t strip_rows = 32;     ///< of GroupWalk::strips; lane l has row l mod that
inline constexpr std::int64_t most_groups = 16384;  ///< of stages that do not reduce

/// Emits what is done at a point. `contraction` is the register of c(i, j) where the walk has already computed it.
using Visit = std::function<void(const Point& point, const std::string& contraction)>;
/// Emits something where a line begins or ends; `line` is its number (the coordinate that stays).
using LineAction = std::function<void(const std::string& line)>;

/// A point's coordinates from its column-major position `position` (an int expression); emits locals where the kernel
/// needs them.
Point point_at(StageWriter& writer, const KernelContext& context, const std::string& position);

/// The kernel's walk in this stage: the schedule's, but where parts of the contraction are summed ahead
/// (contraction_parts.h) nothing is left to be summed together.
GroupWalk walk_of(const KernelContext& context);

/// The loop of a walk over points; returns the stage's workgroups. With `reduces` there are at most options.max_groups,
/// and at least one.
std::array<GroupCount, 3> emit_points(StageWriter& writer, const KernelContext& context, bool reduces,
                                      const Visit& visit);
/// The loops of a walk along lines or strips. In the split variant the workgroups along y share out each line of
/// group_lines and strips: each takes a part of every line of its. `begin` and `end` run before and after the points of
/// a line; for group_lines and strips in all invocations of the workgroup, so that `end` may have barriers, and for
/// strips also for lines past the domain's end.
std::array<GroupCount, 3> emit_lines(StageWriter& writer, const KernelContext& context, bool reduces,
                                     const LineAction& begin, const Visit& visit, const LineAction& end);

/// Of walks along lines: how many points a line has, and how many lines there are.
const Size& line_length(const KernelContext& context);
const Size& line_count(const KernelContext& context);

/// Whether the workgroups along y share out each line: a part for each.
bool splits_lines(const KernelContext& context);

/// What each of `shares` gets of `total`, as a multiple of `step`: an int expression of int expressions.
std::string rounded_share(const std::string& total, const std::string& shares, const std::string& step);

/// int(gl_LocalInvocationID.x) as a name, put into the head on first use.
std::string lane(StageWriter& writer);

}  // namespace lac::codegen::glsl
