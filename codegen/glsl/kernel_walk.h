// How the points of a domain are shared out among invocations.
//
// Of a contraction, codegen/glsl/contraction.h says how it is summed:
//   enum class ContractionForm { per_invocation, cooperative, tiled };
//   ContractionForm contraction_form(const KernelContext&);   // where no reduction runs along one axis
//   std::string emit_contraction(StageWriter&, const KernelContext&, const Point&, bool cooperative);
//   std::array<GroupCount, 3> emit_tiles(StageWriter&, const KernelContext&, const Visit&);
// emit_contraction gives the name of c's register. Cooperative: the whole workgroup runs it (barriers are fine) and the
// result is good in invocation 0. Walks along lines use the form per_invocation.
#pragma once

#include <array>
#include <functional>

#include "codegen/glsl/kernel_body.h"

namespace lac::codegen::glsl {

/// Who visits which points of the domain.
enum class WalkKind : std::uint8_t {
  points,       ///< an invocation takes single points, column by column
  cooperative,  ///< a workgroup takes a point, all of it works on the contraction; invocation 0 visits
  tiled,        ///< a workgroup takes a tile of points (matrix products); see codegen/glsl/product.h
  lines,        ///< an invocation takes a whole line along the reduced axis
  group_lines,  ///< a workgroup takes a whole line
};

struct Walk {
  WalkKind kind = WalkKind::points;
  Axis reduced = Axis::all;  ///< rows or cols for lines
};

/// Emits what is done at a point; called once for each place in the text where points are visited. For walks
/// `cooperative` and `tiled`, `contraction` is c(i, j) in a register, already computed; else it is empty.
using Visit = std::function<void(const Point& point, const std::string& contraction)>;

/// The form that a kernel's sizes (as far as they are constant), shapes and contraction ask for.
Walk choose_walk(const KernelContext& context);

}  // namespace lac::codegen::glsl
