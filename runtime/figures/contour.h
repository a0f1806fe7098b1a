// Lines and areas of equal value on a grid of nodes (marching squares). Cells with a value that is no number are left
// out.
#pragma once

#include <functional>
#include <vector>

#include "runtime/figures/drawing.h"

namespace lac::runtime::figures {

/// Ten levels inside the range of the values, or as many as `given` says; several numbers are the levels themselves.
std::vector<double> contour_levels(const Grid& values, const std::vector<double>& given);

/// Where a node stands on the drawing.
using NodePlace = std::function<Point(std::int64_t row, std::int64_t col)>;

/// Lines where the value is the level, joined from cell to cell.
std::vector<std::vector<Point>> contour_lines(const Grid& values, double level, const NodePlace& place);
/// Areas where it is at least the level.
std::vector<std::vector<Point>> contour_areas(const Grid& values, double level, const NodePlace& place);

}  // namespace lac::runtime::figures
