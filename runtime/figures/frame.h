// From data to pixels: the box of a pair of axes and their ranges.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "runtime/figures/drawing.h"

namespace lac::runtime::figures {

struct Scale {
  Range range;
  bool logarithmic = false, reversed = false;

  /// 0 at one end, 1 at the other; NaN where a logarithm has none.
  double share(double value) const {
    double t = 0;
    if (logarithmic) {
      if (!(value > 0)) return std::numeric_limits<double>::quiet_NaN();
      t = std::log(value / range.low) / std::log(range.high / range.low);
    } else {
      t = (value - range.low) / (range.high - range.low);
    }
    return reversed ? 1 - t : t;
  }
};

struct Frame {
  Box box;
  Scale x, y;

  Point at(double data_x, double data_y) const {
    return {box.left + box.width * x.share(data_x), box.bottom() - box.height * y.share(data_y)};
  }
};

/// Colours of values.
struct Shades {
  std::vector<Color> map;
  Range limits;

  double share(double value) const { return (value - limits.low) / (limits.high - limits.low); }
  Color of(double value) const;
};

/// Pixels of a line of width 1.
constexpr double line_pixels = 1.2;

Color color_of(const Series& series);

/// Adds what the series shows to the layers: `inside` is cut off at the box, `above` is not.
void draw_series(const Series& series, const Axes& axes, const Frame& frame, const Shades& shades, Layer& inside,
                 Layer& above);

/// Axes of three directions, into the box; everything but the title, the legend and the colour bar. (solid.cpp)
void draw_solid(const Axes& axes, const std::array<Scale, 3>& scales, const Box& box, const Shades& shades, double font,
                Layer& out);

/// The legend in its place, in or beside the box. (legend.cpp)
void draw_legend(const Axes& axes, const Frame& frame, const Shades& shades, double font, Layer& out);
/// How wide a legend is that stands right of the box; 0: none does.
double legend_room(const Axes& axes, double font);

}  // namespace lac::runtime::figures
