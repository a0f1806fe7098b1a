// How each kind of series is drawn on two axes.
#include <algorithm>
#include <cmath>
#include <map>

#include "runtime/figures/contour.h"
#include "runtime/figures/frame.h"
#include "runtime/figures/path.h"
#include "runtime/figures/style.h"

namespace lac::runtime::figures {

Color Shades::of(double value) const { return color_at(map, share(value)); }

Color color_of(const Series& series) {
  return series.look.color ? *series.look.color : order_color(series.color_index);
}

namespace {

using Path = std::vector<Point>;

/// What a drawing of one series needs.
struct Pencil {
  const Series& series;
  const Axes& axes;
  const Frame& frame;
  const Shades& shades;
  Layer& inside;
  Layer& above;

  std::size_t count() const { return std::min(series.x.size(), series.y.size()); }
  Point point(std::size_t k) const { return frame.at(series.x[k], series.y[k]); }
  Path points() const {
    Path all;
    for (std::size_t k = 0; k < count(); ++k) all.push_back(point(k));
    return all;
  }
  Pen pen() const { return {color_of(series), series.look.width * line_pixels, series.look.dash}; }
  Pen solid_pen() const { return {color_of(series), series.look.width * line_pixels, Dash::solid}; }
  /// The height of a value, at the edge of the box where an axis cannot show it (0 on a logarithmic one).
  double level(double value) const {
    const double y = frame.at(0, value).y;
    return std::isfinite(y) ? y : frame.box.bottom();
  }

  void lines(const std::vector<Path>& paths, const Pen& pen) const {
    if (pen.dash == Dash::none || pen.width <= 0) return;
    Shape shape;
    for (const Path& path : paths)
      for (Path& part : visible_paths(path, frame.box)) shape.paths.push_back(std::move(part));
    shape.pen = pen;
    if (!shape.paths.empty()) inside.items.emplace_back(std::move(shape));
  }
  void area(std::vector<Path> paths, Color fill, std::optional<Pen> edge) const {
    Shape shape;
    for (Path& path : paths)
      if (Path part = visible_area(path, frame.box); part.size() > 2) shape.paths.push_back(std::move(part));
    shape.closed = true;
    if (!series.look.no_face) shape.fill = fill;
    if (!series.look.no_edge) shape.pen = edge;
    shape.opacity = series.look.opacity;
    if (!shape.paths.empty()) inside.items.emplace_back(std::move(shape));
  }
  void markers(const Path& at, double size, Color color, bool filled) const {
    Markers marks;
    marks.centers = visible_points(at, frame.box);
    marks.letter = series.look.marker;
    marks.size = marks.letter == '.' ? size * 0.6 : size;
    marks.color = series.look.edge.value_or(color);
    if (filled || marks.letter == '.') marks.fill = series.look.face.value_or(color);
    marks.width = std::max(1.0, series.look.width * line_pixels * 0.8);
    if (!marks.centers.empty()) above.items.emplace_back(std::move(marks));
  }
  void own_markers() const {
    if (series.look.marker != 0) markers(points(), series.look.marker_size, color_of(series), series.look.filled);
  }
};

void draw_line(const Pencil& p) {
  p.lines({p.points()}, p.pen());
  p.own_markers();
  // A line of one point has no length: it shows as a dot, where it has no marker.
  if (p.series.look.marker == 0 && p.count() == 1 && p.series.look.dash != Dash::none) {
    Markers dot{visible_points(p.points(), p.frame.box), 'o', 2, color_of(p.series), color_of(p.series), 1};
    if (!dot.centers.empty()) p.above.items.emplace_back(std::move(dot));
  }
}

void draw_errors(const Pencil& p) {
  constexpr double cap = 3;
  std::vector<Path> bars;
  for (std::size_t k = 0; k < p.count(); ++k) {
    const double x = p.point(k).x;
    const double low = p.level(p.series.y[k] - p.series.low[k]), high = p.level(p.series.y[k] + p.series.high[k]);
    if (!std::isfinite(p.series.low[k]) || !std::isfinite(p.series.high[k])) continue;
    for (Path bar :
         {Path{{x, low}, {x, high}}, Path{{x - cap, low}, {x + cap, low}}, Path{{x - cap, high}, {x + cap, high}}})
      bars.push_back(std::move(bar));
  }
  p.lines(bars, p.solid_pen());
  draw_line(p);
}

void draw_area(const Pencil& p) {
  Path outline = p.points();
  for (std::size_t k = p.count(); k-- > 0;) outline.push_back({p.point(k).x, p.level(p.series.low[k])});
  p.area({outline}, p.series.look.face.value_or(color_of(p.series)), Pen{black, 0.8});
}

void draw_stairs(const Pencil& p) {
  Path steps;
  for (std::size_t k = 0; k < p.count(); ++k) {
    if (k > 0) steps.push_back({p.point(k).x, p.point(k - 1).y});
    steps.push_back(p.point(k));
  }
  p.lines({steps}, p.pen());
  p.own_markers();
}

void draw_stem(const Pencil& p) {
  std::vector<Path> stems;
  const double base = p.level(p.series.base);
  for (std::size_t k = 0; k < p.count(); ++k) stems.push_back({{p.point(k).x, base}, p.point(k)});
  p.lines(stems, p.pen());
  p.lines({{{p.frame.box.left, base}, {p.frame.box.right(), base}}}, Pen{black, 0.8});
  p.own_markers();
}

/// Markers of one colour and size together.
void draw_scatter(const Pencil& p) {
  const Series& s = p.series;
  constexpr double usual = 36;  // square points
  std::map<std::pair<int, double>, Path> groups;
  for (std::size_t k = 0; k < p.count(); ++k) {
    const double size = s.sizes.empty() ? usual : s.sizes[s.sizes.size() == 1 ? 0 : k];
    int shade = -1;
    if (!s.colors.empty()) {
      if (!std::isfinite(s.colors[k])) continue;
      shade = static_cast<int>(std::clamp(p.shades.share(s.colors[k]), 0.0, 1.0) * 63);
    }
    groups[{shade, std::sqrt(std::max(0.0, size))}].push_back(p.point(k));
  }
  for (const auto& [key, centers] : groups)
    p.markers(centers, key.second, key.first < 0 ? color_of(s) : color_at(p.shades.map, key.first / 63.0),
              s.look.filled);
}

void draw_bars(const Pencil& p, bool lying) {
  const Series& s = p.series;
  std::vector<Path> bars;
  for (std::size_t k = 0; k < p.count(); ++k) {
    if (!std::isfinite(s.y[k])) continue;
    const double left = s.x[k] + s.shift - s.width / 2, right = left + s.width;
    const auto at = [&](double across, double value) {
      Point point = lying ? p.frame.at(value, across) : p.frame.at(across, value);
      if (!std::isfinite(point.x)) point.x = p.frame.box.left;
      if (!std::isfinite(point.y)) point.y = p.frame.box.bottom();
      return point;
    };
    bars.push_back({at(left, s.low[k]), at(left, s.y[k]), at(right, s.y[k]), at(right, s.low[k])});
  }
  const bool fine = !bars.empty() && std::abs(bars[0][3].x - bars[0][0].x) < 3 && !lying;
  const Color face = s.look.face.value_or(color_of(s));
  p.area(bars, face, Pen{fine && !s.look.edge ? face : s.look.edge.value_or(black), 0.8});
}

void draw_contour(const Pencil& p, bool filled) {
  const Series& s = p.series;
  const NodePlace place = [&](std::int64_t i, std::int64_t j) {
    return p.frame.at(s.grid_x.at(i, j), s.grid_y.at(i, j));
  };
  const std::vector<double> levels = contour_levels(s.grid, s.levels);
  if (filled) {
    p.area(contour_areas(s.grid, -std::numeric_limits<double>::infinity(), place), p.shades.of(p.shades.limits.low),
           std::nullopt);
    for (const double level : levels) p.area(contour_areas(s.grid, level, place), p.shades.of(level), std::nullopt);
  }
  for (const double level : levels) {
    Pen pen = p.pen();
    pen.color = s.look.color ? *s.look.color : filled ? black : p.shades.of(level);
    if (filled) pen.width *= 0.6;
    if (!s.look.no_edge) p.lines(contour_lines(s.grid, level, place), pen);
  }
}

std::uint8_t palette_place(const Pencil& p, double value) {
  const double most = static_cast<double>(p.shades.map.size() - 1);
  const double place = p.series.scaled ? std::floor(p.shades.share(value) * (most + 1)) : value - 1;
  return place > 0 ? static_cast<std::uint8_t>(std::min(place, most)) : std::uint8_t{0};  // NaN is the first colour
}

/// The grid as a picture over the box, turned as the axes are.
void draw_pixels(const Pencil& p, const Grid& grid, Point first, Point last) {
  Pixels pixels;
  pixels.box = {std::min(first.x, last.x), std::min(first.y, last.y), std::abs(last.x - first.x),
                std::abs(last.y - first.y)};
  pixels.picture.width = grid.cols;
  pixels.picture.height = grid.rows;
  for (const Color& each : p.shades.map)
    for (const std::uint8_t part : {each.red, each.green, each.blue}) pixels.picture.palette.push_back(part);
  for (std::int64_t i = 0; i < grid.rows; ++i)
    for (std::int64_t j = 0; j < grid.cols; ++j)
      pixels.picture.samples.push_back(palette_place(
          p, grid.at(first.y <= last.y ? i : grid.rows - 1 - i, first.x <= last.x ? j : grid.cols - 1 - j)));
  if (grid.count() > 0) p.inside.items.emplace_back(std::move(pixels));
}

void draw_image(const Pencil& p) {
  const Series& s = p.series;
  const auto half = [](const std::vector<double>& ends, std::int64_t n) {
    return n > 1 ? (ends[1] - ends[0]) / static_cast<double>(n - 1) / 2 : 0.5;
  };
  const double dx = half(s.x, s.grid.cols), dy = half(s.y, s.grid.rows);
  draw_pixels(p, s.grid, p.frame.at(s.x[0] - dx, s.y[0] - dy), p.frame.at(s.x[1] + dx, s.y[1] + dy));
}

bool is_regular(const Grid& x, const Grid& y) {
  const auto even = [](const Grid& grid, bool along_columns) {
    const std::int64_t n = along_columns ? grid.cols : grid.rows;
    const double step = (along_columns ? grid.at(0, n - 1) : grid.at(n - 1, 0)) - grid.at(0, 0);
    for (std::int64_t i = 0; i < grid.rows; ++i)
      for (std::int64_t j = 0; j < grid.cols; ++j) {
        const double expected =
            grid.at(0, 0) + step * static_cast<double>(along_columns ? j : i) / static_cast<double>(n - 1);
        if (!(std::abs(grid.at(i, j) - expected) <= 1e-6 * std::abs(step))) return false;
      }
    return true;
  };
  return x.rows > 1 && x.cols > 1 && even(x, true) && even(y, false);
}

// Cells between nodes, of the colour of their first one. Many of one size are a picture: their edges would hide them.
void draw_cells(const Pencil& p) {
  const Series& s = p.series;
  constexpr std::int64_t many = 2500;
  const bool plain = !p.frame.x.logarithmic && !p.frame.y.logarithmic;
  if (s.grid.rows < 2 || s.grid.cols < 2) return;
  if (plain && (p.axes.edgeless || s.look.no_edge || s.grid.count() > many) && is_regular(s.grid_x, s.grid_y)) {
    Grid cells{s.grid.rows - 1, s.grid.cols - 1, {}};
    for (std::int64_t j = 0; j < cells.cols; ++j)
      for (std::int64_t i = 0; i < cells.rows; ++i) cells.values.push_back(s.grid.at(i, j));
    return draw_pixels(p, cells, p.frame.at(s.grid_x.at(0, 0), s.grid_y.at(0, 0)),
                       p.frame.at(s.grid_x.at(0, cells.cols), s.grid_y.at(cells.rows, 0)));
  }
  const auto at = [&](std::int64_t i, std::int64_t j) { return p.frame.at(s.grid_x.at(i, j), s.grid_y.at(i, j)); };
  for (std::int64_t j = 0; j + 1 < s.grid.cols; ++j)
    for (std::int64_t i = 0; i + 1 < s.grid.rows; ++i) {
      if (!std::isfinite(s.grid.at(i, j))) continue;
      const Color color = p.shades.of(s.grid.at(i, j));
      p.area({{at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)}}, color,
             Pen{p.axes.edgeless ? color : black, p.axes.edgeless ? 0.5 : 0.4});
    }
}

void draw_arrows(const Pencil& p) {
  const Series& s = p.series;
  std::vector<Path> arrows;
  for (std::size_t k = 0; k < p.count(); ++k) {
    const Point tail = p.point(k), tip = p.frame.at(s.x[k] + s.low[k], s.y[k] + s.high[k]);
    const double dx = tip.x - tail.x, dy = tip.y - tail.y;
    if (!(std::hypot(dx, dy) > 0)) continue;
    constexpr double head = 0.28, spread = 0.4;  // of the arrow, of the head
    const auto barb = [&](double side) {
      return Point{tip.x - head * (dx - side * spread * dy), tip.y - head * (dy + side * spread * dx)};
    };
    arrows.push_back({tail, tip});
    arrows.push_back({barb(1), tip, barb(-1)});
  }
  p.lines(arrows, p.solid_pen());
}

void draw_polygon(const Pencil& p) {
  const Color face = p.series.colors.empty() ? color_of(p.series) : p.shades.of(p.series.colors[0]);
  p.area({p.points()}, p.series.look.face.value_or(face),
         Pen{p.series.look.edge.value_or(black), p.series.look.width * line_pixels * 0.7, p.series.look.dash});
}

void draw_text(const Pencil& p) {
  if (p.count() == 0) return;
  const Series& s = p.series;
  Label label;
  label.at = p.point(0);
  if (!std::isfinite(label.at.x) || !std::isfinite(label.at.y)) return;
  label.text = s.text;
  label.size = 1.1 * (s.font_size > 0 ? s.font_size : p.axes.font_size);
  label.anchor = s.align == "center" ? Anchor::middle : s.align == "right" ? Anchor::end : Anchor::start;
  label.at.y += label.size * (s.valign == "top" ? 0.8 : s.valign == "bottom" || s.valign == "baseline" ? -0.15 : 0.35);
  label.rotation = s.rotation;
  label.color = s.look.color.value_or(black);
  p.above.items.emplace_back(std::move(label));
}

}  // namespace

void draw_series(const Series& series, const Axes& axes, const Frame& frame, const Shades& shades, Layer& inside,
                 Layer& above) {
  const Pencil p{series, axes, frame, shades, inside, above};
  switch (series.mark) {
    case Mark::line: return draw_line(p);
    case Mark::errors: return draw_errors(p);
    case Mark::area: return draw_area(p);
    case Mark::stairs: return draw_stairs(p);
    case Mark::stem: return draw_stem(p);
    case Mark::scatter: return draw_scatter(p);
    case Mark::bars: return draw_bars(p, false);
    case Mark::lying_bars: return draw_bars(p, true);
    case Mark::contour: return draw_contour(p, false);
    case Mark::filled_contour: return draw_contour(p, true);
    case Mark::image: return draw_image(p);
    case Mark::cells: return draw_cells(p);
    case Mark::arrows: return draw_arrows(p);
    case Mark::polygon: return draw_polygon(p);
    case Mark::text: return draw_text(p);
    case Mark::surface:
    case Mark::mesh: return;  // of three directions: solid.cpp
  }
}

}  // namespace lac::runtime::figures
