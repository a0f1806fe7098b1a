// How the points of a domain are shared out among invocations.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "codegen/glsl/kernel_access.h"

namespace lac::codegen::glsl {

/// Who visits which points of the domain. The rule depends on the kernel's text alone:
///   texels       an output has Layout::texel;
///   tiled        the kernel has a contraction and contraction.h says so;
///   points       no reduction runs along one axis (a reduction along the only extent counts as over all);
///   group_lines  reductions along rows (each line is a column, contiguous), unless the rows are a constant of at most
///                `short_line`; reductions along cols where the rows are a constant of at most `short_line`;
///   strips       the other reductions along cols;
///   lines        the other reductions along rows.
enum class WalkKind : std::uint8_t {
  points,       ///< an invocation takes single points, in column-major order, striding over the domain
  tiled,        ///< a workgroup takes a tile of points; see contraction.h
  lines,        ///< an invocation takes a whole line along the reduced axis
  group_lines,  ///< a workgroup takes a whole line, its invocations every 256th point
  strips,       ///< a workgroup takes `strip_rows` rows, lane l every 8th point of row l mod `strip_rows`
  texels,       ///< an invocation takes the four points of a texel; see texel.h
};
inline constexpr std::int64_t short_line = 64;
inline constexpr std::uint32_t strip_rows = 32;
inline constexpr std::int64_t most_groups = 16384;  ///< of stages that do not reduce

struct Walk {
  WalkKind kind = WalkKind::points;
  Axis reduced = Axis::all;  ///< of lines: rows or cols
};

Walk choose_walk(const KernelContext& context);

/// Emits what is done at a point. `contraction` is the register of c(i, j) where the walk has already computed it.
using Visit = std::function<void(const Point& point, const std::string& contraction)>;
/// Emits something where a line begins or ends; `line` is its number (the coordinate that stays).
using LineAction = std::function<void(const std::string& line)>;

/// A point's coordinates from its column-major position `position` (an int expression); emits locals where the kernel
/// needs them.
Point point_at(StageWriter& writer, const KernelContext& context, const std::string& position);

/// The loop of a walk over points; returns the stage's workgroups. With `reduces` there are at most options.max_groups,
/// and at least one.
std::array<GroupCount, 3> emit_points(StageWriter& writer, const KernelContext& context, bool reduces,
                                      const Visit& visit);
/// The loops of a walk along lines or strips. In the split variant the workgroups along y share out each line of
/// group_lines and strips, `line_part` points at a time: `begin` and `end` run for every part, whose number is the
/// variable `line_part`. `begin` and `end` run before and after the points of a line; for group_lines and strips in all
/// invocations of the workgroup, so that `end` may have barriers, and for strips also for lines past the domain's end.
std::array<GroupCount, 3> emit_lines(StageWriter& writer, const KernelContext& context, const Walk& walk, bool reduces,
                                     const LineAction& begin, const Visit& visit, const LineAction& end);

/// The points of a part of a line, and the number of parts as an int expression.
std::int64_t line_part(const KernelContext& context, WalkKind kind);
bool splits_lines(const KernelContext& context, WalkKind kind);
std::string line_parts(StageWriter& writer, const KernelContext& context, const Walk& walk);

/// int(gl_LocalInvocationID.x) as a name, put into the head on first use.
std::string lane(StageWriter& writer);

}  // namespace lac::codegen::glsl
