// Lines as they are worth drawing: inside the box, broken where there is no number, without points that nobody sees.
#pragma once

#include <vector>

#include "runtime/figures/drawing.h"

namespace lac::runtime::figures {

/// The parts of the line that lie in the box, or near it; NaN and Inf break it. What is left out moves the line by less
/// than a tenth of a pixel, and a line of any length keeps a few points for each column and row of pixels.
std::vector<std::vector<Point>> visible_paths(const std::vector<Point>& line, const Box& box);

/// The same for an area: one path, its corners moved to at most a few widths outside the box.
std::vector<Point> visible_area(const std::vector<Point>& corners, const Box& box);

/// One of all points that fall on the same half pixel, those inside the box.
std::vector<Point> visible_points(const std::vector<Point>& points, const Box& box);

}  // namespace lac::runtime::figures
