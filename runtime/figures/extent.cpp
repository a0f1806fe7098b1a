#include "runtime/figures/extent.h"

#include <algorithm>
#include <cmath>

#include "runtime/figures/contour.h"

namespace lac::runtime::figures {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

struct Extent {
  bool positive_only = false;
  Range range{inf, -inf};

  void take(double value) {
    if (!std::isfinite(value) || (positive_only && value <= 0)) return;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  void take(const std::vector<double>& values) {
    for (const double value : values) take(value);
  }
  /// Sums of what stands at the same places.
  void take(const std::vector<double>& a, const std::vector<double>& b, double sign) {
    for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) take(a[k] + sign * b[k]);
  }
};

bool is_grid(Mark mark) {
  return mark == Mark::contour || mark == Mark::filled_contour || mark == Mark::cells || mark == Mark::surface ||
         mark == Mark::mesh;
}

void take_bars(const Series& s, bool across, Extent& extent) {
  if (across) {
    for (const double x : s.x)
      for (const double side : {-0.5, 0.5}) extent.take(x + s.shift + side * s.width);
    return;
  }
  extent.take(s.y);
  extent.take(s.low);
}

void take_image(const Series& s, Direction direction, Extent& extent) {
  const std::vector<double>& ends = direction == Direction::x ? s.x : s.y;
  const std::int64_t n = direction == Direction::x ? s.grid.cols : s.grid.rows;
  const double half = n > 1 ? (ends[1] - ends[0]) / static_cast<double>(n - 1) / 2 : 0.5;
  if (n == 0) return;
  extent.take(std::min(ends[0], ends[1]) - std::abs(half));
  extent.take(std::max(ends[0], ends[1]) + std::abs(half));
}

void take_series(const Series& s, Direction direction, Extent& extent) {
  if (s.mark == Mark::text) return;
  if (is_grid(s.mark))
    return extent.take((direction == Direction::x ? s.grid_x : direction == Direction::y ? s.grid_y : s.grid).values);
  if (direction == Direction::z) return extent.take(s.z);
  if (s.mark == Mark::image) return take_image(s, direction, extent);
  if (s.mark == Mark::bars) return take_bars(s, direction == Direction::x, extent);
  if (s.mark == Mark::lying_bars) return take_bars(s, direction == Direction::y, extent);
  const std::vector<double>& values = direction == Direction::x ? s.x : s.y;
  extent.take(values);
  if (s.mark == Mark::arrows) extent.take(values, direction == Direction::x ? s.low : s.high, 1);
  if (direction != Direction::y) return;
  if (s.mark == Mark::errors) {
    extent.take(s.y, s.low, -1);
    extent.take(s.y, s.high, 1);
  }
  if (s.mark == Mark::area) extent.take(s.low);
  if (s.mark == Mark::stem) extent.take(s.base);
}

}  // namespace

Range data_range(const Axes& axes, Direction direction) {
  Extent extent{axes.axis(direction).logarithmic};
  for (const Series& series : axes.series) take_series(series, direction, extent);
  return extent.range;
}

Range shade_range(const Axes& axes) {
  if (axes.color_limits) return *axes.color_limits;
  Extent extent;
  for (const Series& s : axes.series) {
    if (s.mark == Mark::contour) extent.take(contour_levels(s.grid, s.levels));
    else if (s.mark != Mark::image || s.scaled) extent.take(s.grid.values);
    extent.take(s.colors);
  }
  if (!(extent.range.low <= extent.range.high)) return {0, 1};
  if (extent.range.low == extent.range.high) {
    const double around = extent.range.low == 0 ? 1 : std::abs(extent.range.low) * 0.1;
    return {extent.range.low - around, extent.range.high + around};
  }
  return extent.range;
}

bool fills_grid(const Axes& axes) {
  return std::ranges::any_of(axes.series, [](const Series& s) { return is_grid(s.mark) || s.mark == Mark::image; });
}

}  // namespace lac::runtime::figures
