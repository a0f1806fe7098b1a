// Which values the data of axes take.
#pragma once

#include "runtime/figures/figure.h"

namespace lac::runtime::figures {

/// From the least to the greatest value in a direction; low > high where there is none. A logarithmic axis counts
/// positive ones only.
Range data_range(const Axes& axes, Direction direction);
/// Of the values that the colour map shows.
Range shade_range(const Axes& axes);
/// Whether the data fill a grid, which the axes then end with.
bool fills_grid(const Axes& axes);

}  // namespace lac::runtime::figures
