// Axes of three directions, seen from a side without perspective; what lies behind is drawn first.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "runtime/figures/frame.h"
#include "runtime/figures/markup.h"
#include "runtime/figures/path.h"
#include "runtime/figures/style.h"
#include "runtime/figures/ticks.h"

namespace lac::runtime::figures {
namespace {

using Corner = std::array<double, 3>;

constexpr double height = 0.8;  ///< of the box of data, which is 1 wide and 1 deep
constexpr std::int64_t most_nodes = 100;

struct Placed {
  Point at;
  double depth = 0;  ///< greater is nearer
};

/// From data to the drawing.
class View {
 public:
  View(const Axes& axes, const std::array<Scale, 3>& scales, const Box& box) : scales_(scales) {
    const double az = axes.azimuth * std::numbers::pi / 180, el = axes.elevation * std::numbers::pi / 180;
    rows_ = {{{std::cos(az), std::sin(az), 0},
              {-std::sin(el) * std::sin(az), std::sin(el) * std::cos(az), std::cos(el)},
              {std::cos(el) * std::sin(az), -std::cos(el) * std::cos(az), std::sin(el)}}};
    double wide = 0, high = 0;
    for (int k = 0; k < 8; ++k) {
      const Corner turned = turn({k & 1 ? 1.0 : 0.0, k & 2 ? 1.0 : 0.0, k & 4 ? 1.0 : 0.0});
      wide = std::max(wide, std::abs(turned[0]));
      high = std::max(high, std::abs(turned[1]));
    }
    constexpr double margin_x = 28, margin_y = 14;
    unit_ = std::min((box.width / 2 - margin_x) / wide, (box.height / 2 - margin_y) / high);
    stretch_ = std::clamp((box.width / 2 - margin_x) / (wide * unit_), 1.0, 1.25);
    middle_ = {box.left + box.width / 2, box.top + box.height / 2};
  }

  /// A place in the box of data, from 0 to 1 in each direction.
  Placed place(const Corner& share) const {
    const Corner turned = turn(share);
    return {{middle_.x + stretch_ * unit_ * turned[0], middle_.y - unit_ * turned[1]}, turned[2]};
  }
  Placed at(double x, double y, double z) const {
    return place({scales_[0].share(x), scales_[1].share(y), scales_[2].share(z)});
  }
  /// The end of a direction that lies behind: 0 or 1.
  double back(std::size_t direction) const { return rows_[2][direction] > 0 ? 0 : 1; }
  bool shows_height() const { return std::abs(rows_[1][2]) > 0.05; }
  Point middle() const { return middle_; }

 private:
  Corner turn(const Corner& share) const {
    const Corner p = {share[0] - 0.5, share[1] - 0.5, (share[2] - 0.5) * height};
    Corner turned;
    for (std::size_t k = 0; k < 3; ++k) turned[k] = rows_[k][0] * p[0] + rows_[k][1] * p[1] + rows_[k][2] * p[2];
    return turned;
  }

  const std::array<Scale, 3>& scales_;
  std::array<Corner, 3> rows_;
  double unit_ = 1, stretch_ = 1;
  Point middle_;
};

/// An edge of the box of data that carries the ticks of a direction: where it stands in the two others.
struct Edge {
  std::size_t direction;
  Corner from;
};

Corner moved(Corner place, std::size_t direction, double share) {
  place[direction] = share;
  return place;
}

Edge edge_of(const View& view, std::size_t direction) {
  if (direction < 2) {
    Corner from = {};
    from[1 - direction] = 1 - view.back(1 - direction);
    from[2] = view.back(2);
    return {direction, from};
  }
  Edge best{2, {0, 0, 0}};
  for (const double x : {0.0, 1.0})
    for (const double y : {0.0, 1.0})
      if (view.place({x, y, 0}).at.x < view.place(best.from).at.x) best.from = {x, y, 0};
  return best;
}

void draw_walls(const View& view, const std::array<Ticks, 3>& ticks, const std::array<Scale, 3>& scales, bool lines,
                Layer& out) {
  for (std::size_t wall = 0; wall < 3; ++wall) {
    const std::size_t a = (wall + 1) % 3, b = (wall + 2) % 3;
    const auto at = [&](double share_a, double share_b) {
      Corner corner = {};
      corner[wall] = view.back(wall);
      corner[a] = share_a;
      corner[b] = share_b;
      return view.place(corner).at;
    };
    Shape grid{{}, false, {}, Pen{Color{217, 217, 217}, 0.8}};
    for (const auto& [along, swapped] : {std::pair{a, false}, std::pair{b, true}})
      for (const double value : ticks[along].values) {
        const double t = scales[along].share(value);
        if (t < -1e-6 || t > 1 + 1e-6 || !lines) continue;
        grid.paths.push_back(swapped ? std::vector{at(0, t), at(1, t)} : std::vector{at(t, 0), at(t, 1)});
      }
    if (!grid.paths.empty()) out.items.emplace_back(std::move(grid));
    out.items.emplace_back(Shape{{{at(0, 0), at(1, 0), at(1, 1), at(0, 1)}}, true, {}, Pen{Color{120, 120, 120}, 0.8}});
  }
}

void draw_edge(const View& view, const Edge& edge, const Ticks& ticks, const Scale& scale, const std::string& name,
               double font, Layer& out) {
  const Point begin = view.place(moved(edge.from, edge.direction, 0)).at;
  const Point end = view.place(moved(edge.from, edge.direction, 1)).at;
  if (std::hypot(end.x - begin.x, end.y - begin.y) < 2 * font) return;
  out.items.emplace_back(Shape{{{begin, end}}, false, {}, Pen{black, 0.8}});
  // Outwards: square to the edge, away from the middle.
  Point out_of{end.y - begin.y, begin.x - end.x};
  const Point half{(begin.x + end.x) / 2, (begin.y + end.y) / 2};
  const double length = std::hypot(out_of.x, out_of.y);
  const double sign = (half.x - view.middle().x) * out_of.x + (half.y - view.middle().y) * out_of.y < 0 ? -1 : 1;
  out_of = {sign * out_of.x / length, sign * out_of.y / length};
  const Anchor anchor = out_of.x > 0.3 ? Anchor::start : out_of.x < -0.3 ? Anchor::end : Anchor::middle;
  const auto beside = [&](Point p, double distance) {
    return Point{p.x + out_of.x * distance, p.y + out_of.y * distance + font * (0.35 + 0.3 * std::max(0.0, out_of.y))};
  };
  double widest = 0;
  for (std::size_t k = 0; k < ticks.values.size(); ++k) {
    const double share = scale.share(ticks.values[k]);
    if (share < -1e-6 || share > 1 + 1e-6) continue;
    const Point p = view.place(moved(edge.from, edge.direction, share)).at;
    out.items.emplace_back(Shape{{{p, {p.x + 4 * out_of.x, p.y + 4 * out_of.y}}}, false, {}, Pen{black, 0.8}});
    out.items.emplace_back(Label{beside(p, 7), ticks.labels[k], font, anchor});
    widest = std::max(widest, text_width(ticks.labels[k]) * font);
  }
  const std::string shown = name + (ticks.factor.empty() ? "" : (name.empty() ? "" : " ") + ticks.factor);
  if (shown.empty()) return;
  Point at = beside(half, 12 + std::abs(out_of.x) * widest + std::abs(out_of.y) * font * 1.1);
  if (edge.direction == 2) at.x -= font * 0.4;
  out.items.emplace_back(
      Label{at, shown, font * 1.05, edge.direction == 2 ? Anchor::middle : anchor, edge.direction == 2 ? 90.0 : 0.0});
}

struct Patch {
  double depth;
  Shape shape;
};

/// The cells of a surface; grids of many nodes with every second, third, ... of them.
void add_patches(const Series& s, const Axes& axes, const View& view, const Shades& shades,
                 std::vector<Patch>& patches) {
  const std::int64_t rows = s.grid.rows, cols = s.grid.cols;
  const auto step = [](std::int64_t n) { return (n + most_nodes - 1) / most_nodes; };
  const auto nodes = [](std::int64_t n, std::int64_t by) {
    std::vector<std::int64_t> places;
    for (std::int64_t k = 0; k < n; k += by) places.push_back(k);
    if (!places.empty() && places.back() != n - 1) places.push_back(n - 1);
    return places;
  };
  const std::vector<std::int64_t> is = nodes(rows, step(rows)), js = nodes(cols, step(cols));
  for (std::size_t b = 0; b + 1 < js.size(); ++b)
    for (std::size_t a = 0; a + 1 < is.size(); ++a) {
      std::vector<Point> corners;
      double depth = 0, value = 0;
      for (const auto& [i, j] : {std::pair{is[a], js[b]}, std::pair{is[a], js[b + 1]}, std::pair{is[a + 1], js[b + 1]},
                                 std::pair{is[a + 1], js[b]}}) {
        const Placed p = view.at(s.grid_x.at(i, j), s.grid_y.at(i, j), s.grid.at(i, j));
        corners.push_back(p.at);
        depth += p.depth / 4;
        value += s.grid.at(i, j) / 4;
      }
      if (!std::isfinite(depth) || !std::isfinite(value)) continue;
      const Color color = s.look.face.value_or(shades.of(value));
      Shape shape{{std::move(corners)}, true, {}, {}, s.look.opacity};
      if (s.mark == Mark::mesh) {
        shape.fill = white;
        shape.pen = Pen{s.look.edge.value_or(color), 0.9};
      } else {
        if (!s.look.no_face) shape.fill = color;
        const bool bare = axes.edgeless || s.look.no_edge;  // then of its own colour: no gaps between cells
        shape.pen = bare ? Pen{color, 0.5} : Pen{s.look.edge.value_or(black), 0.5};
      }
      patches.push_back({depth, std::move(shape)});
    }
}

void add_line(const Series& s, const View& view, const Box& box, Layer& out) {
  std::vector<Point> points;
  const std::size_t n = std::min({s.x.size(), s.y.size(), s.z.empty() ? s.x.size() : s.z.size()});
  for (std::size_t k = 0; k < n; ++k) points.push_back(view.at(s.x[k], s.y[k], s.z.empty() ? 0 : s.z[k]).at);
  if (s.look.dash != Dash::none && s.mark == Mark::line) {
    Shape line{visible_paths(points, box), false, {}, Pen{color_of(s), s.look.width * line_pixels, s.look.dash}};
    if (!line.paths.empty()) out.items.emplace_back(std::move(line));
  }
  if (s.look.marker == 0) return;
  Markers marks{
      visible_points(points, box), s.look.marker, s.look.marker_size, s.look.edge.value_or(color_of(s)), {}, 1};
  if (s.look.filled || s.look.marker == '.') marks.fill = s.look.face.value_or(color_of(s));
  if (!marks.centers.empty()) out.items.emplace_back(std::move(marks));
}

}  // namespace

void draw_solid(const Axes& axes, const std::array<Scale, 3>& scales, const Box& box, const Shades& shades, double font,
                Layer& out) {
  const View view(axes, scales, box);
  std::array<Ticks, 3> ticks;
  constexpr int most = 6;
  for (std::size_t k = 0; k < 3; ++k) ticks[k] = ticks_of(scales[k].range, scales[k].logarithmic, most);
  if (axes.visible) {
    draw_walls(view, ticks, scales, true, out);
    for (std::size_t k = 0; k < (view.shows_height() ? 3U : 2U); ++k)
      draw_edge(view, edge_of(view, k), ticks[k], scales[k], axes.axes[k].label, font, out);
  }
  std::vector<Patch> patches;
  for (const Series& s : axes.series)
    if (s.mark == Mark::surface || s.mark == Mark::mesh) add_patches(s, axes, view, shades, patches);
  std::ranges::stable_sort(patches, {}, &Patch::depth);
  for (Patch& patch : patches) out.items.emplace_back(std::move(patch.shape));
  for (const Series& s : axes.series) {
    if (s.mark == Mark::line || s.mark == Mark::scatter) add_line(s, view, box, out);
    if (s.mark == Mark::text && !s.x.empty())
      out.items.emplace_back(Label{view.at(s.x[0], s.y[0], s.z.empty() ? 0 : s.z[0]).at, s.text, font, Anchor::start});
  }
}

}  // namespace lac::runtime::figures
