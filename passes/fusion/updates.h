// The two ways an update becomes part of a kernel.
//
// In place: the domain is the region that is assigned, the kernel stores into the base's buffer. Spread: the domain is
// the whole base, and every point selects between value and base. A spread update costs no more where the region is
// nearly everything (`y(2:end, :) -= u(1:end-1, :)`), and fuses like arithmetic.
#pragma once

#include "passes/fusion/access.h"

namespace lac::passes {

/// An update that is spread: subscripts are ranges of step 1 that leave out a small constant number of positions.
bool is_spread_update(const Graph& graph, const Op& op);
bool is_update_in_place(const Graph& graph, const Op& op);

// -- in place

/// The region, as the points at which the kernel computes.
Domain update_domain(const Graph& graph, const Op& update);
/// Where a point of the region is in the base.
Access update_access(const Graph& graph, const Op& update);
/// Where an update reads its value.
Access update_value_access(const Graph& graph, const Op& update);

// -- spread

/// Where a point of the base finds its value, if it is in the region.
Access spread_value_access(const Graph& graph, const Op& update);

/// The region along one axis of the base: first, first + 1, ... below end. `whole` if it is all of the axis.
struct Interval {
  Axis axis = Axis::rows;
  Size first, end;
  bool whole = false;
};
std::vector<Interval> spread_region(const Graph& graph, const Op& update);

}  // namespace lac::passes
