// Where everything of a figure stands: margins, ranges, ticks, labels.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "runtime/figures/drawing.h"
#include "runtime/figures/extent.h"
#include "runtime/figures/frame.h"
#include "runtime/figures/markup.h"
#include "runtime/figures/style.h"
#include "runtime/figures/ticks.h"

namespace lac::runtime::figures {
namespace {

constexpr double pad = 8, tick_length = 4, bar_width = 16, bar_gap = 12;
constexpr Color grid_color{217, 217, 217}, minor_color{238, 238, 238};
constexpr double pixels_per_font = 1.1;

/// One pair of axes while it is laid out.
struct Sheet {
  const Axes& axes;
  double font;  ///< pixels
  Shades shades;
  Frame frame;
  Ticks x, y;
  std::vector<Layer> layers = {};

  double title_size() const { return font * 1.15; }
};

int most_ticks(double length, double each) { return std::clamp(static_cast<int>(length / each), 2, 11); }

double widest(const Ticks& ticks) {
  double width = 0;
  for (const std::string& label : ticks.labels) width = std::max(width, text_width(label));
  return width;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

Scale scale_of(const Axes& axes, Direction direction, int most) {
  const Axis& axis = axes.axis(direction);
  Scale scale{{}, axis.logarithmic, axis.reversed};
  if (axis.limits && !(axis.logarithmic && axis.limits->low <= 0)) {
    scale.range = *axis.limits;
    return scale;
  }
  const bool tight = axis.tight || (direction != Direction::z && fills_grid(axes));
  scale.range = axis_range(data_range(axes, direction), axis.logarithmic, tight, most);
  return scale;
}

Ticks ticks_for(const Axis& axis, const Scale& scale, int most) {
  Ticks ticks = axis.ticks ? ticks_at(*axis.ticks) : ticks_of(scale.range, scale.logarithmic, most);
  if (axis.tick_labels) {
    ticks.factor.clear();
    for (std::size_t k = 0; k < ticks.labels.size(); ++k)
      ticks.labels[k] = axis.tick_labels->empty() ? "" : (*axis.tick_labels)[k % axis.tick_labels->size()];
  }
  return ticks;
}

/// Fewer ticks until their labels do not touch.
Ticks roomy_ticks(const Axis& axis, const Scale& scale, double length, double font) {
  int most = most_ticks(length, 42);
  Ticks ticks = ticks_for(axis, scale, most);
  while (most > 2 && !axis.ticks && ticks.values.size() > 2 &&
         widest(ticks) * font + font * 0.8 > length / static_cast<double>(ticks.values.size() - 1))
    ticks = ticks_for(axis, scale, --most);
  return ticks;
}

/// The box of the plot in the cell, once its margins are known; ranges and ticks with it.
void place_box(Sheet& sheet, const Box& cell) {
  const Axes& axes = sheet.axes;
  const Axis &ax = axes.axis(Direction::x), &ay = axes.axis(Direction::y);
  const double line = sheet.font * 1.25;
  const double shown = axes.visible ? 1 : 0;
  const auto title_lines = static_cast<double>(lines_of(axes.title).size());
  Box& box = sheet.frame.box;
  box.top =
      cell.top + pad + std::max(title_lines * sheet.title_size() * 1.3 + (title_lines > 0 ? 2 : 0), sheet.font * 0.8);
  const bool has_factor = !ticks_for(ax, scale_of(axes, Direction::x, 11), 11).factor.empty();
  const double below = shown * (tick_length + line + (ax.label.empty() && !has_factor ? 0 : line * 1.1)) + pad;
  box.height = std::max(20.0, cell.bottom() - below - box.top);
  sheet.frame.y = scale_of(axes, Direction::y, most_ticks(box.height, 34));
  sheet.y = ticks_for(ay, sheet.frame.y, most_ticks(box.height, 34));
  if (shown > 0 && !sheet.y.factor.empty() && title_lines == 0) {
    box.top += line * 0.6;
    box.height -= line * 0.6;
  }
  double right = pad + sheet.font + legend_room(axes, sheet.font);
  if (axes.colorbar) {
    const Ticks ticks = ticks_of(sheet.shades.limits, false, most_ticks(box.height, 34));
    right += bar_gap + bar_width + tick_length + widest(ticks) * sheet.font;
  }
  box.left =
      cell.left + pad + shown * (tick_length + 3 + widest(sheet.y) * sheet.font + (ay.label.empty() ? 0 : line * 1.2));
  box.width = std::max(20.0, cell.right() - right - box.left);
  sheet.frame.x = scale_of(axes, Direction::x, most_ticks(box.width, 42));
  if (axes.equal) {  // a unit is as long in both directions: the longer side gives way
    const Frame& f = sheet.frame;
    const double wide = f.x.range.high - f.x.range.low, high = f.y.range.high - f.y.range.low;
    const double unit = std::min(box.width / wide, box.height / high);
    const double width = unit * wide, height = unit * high;
    box = {box.left + (box.width - width) / 2, box.top + (box.height - height) / 2, width, height};
    sheet.y = ticks_for(ay, f.y, most_ticks(box.height, 34));
  }
  sheet.x = roomy_ticks(ax, sheet.frame.x, box.width, sheet.font);
}

Shape rectangle(const Box& box, std::optional<Color> fill, std::optional<Pen> pen) {
  return {{{{box.left, box.top}, {box.right(), box.top}, {box.right(), box.bottom()}, {box.left, box.bottom()}}},
          true,
          fill,
          pen};
}

bool is_inside(double share) { return share > -1e-6 && share < 1 + 1e-6; }

/// Places of ticks in pixels: across for x, down for y.
std::vector<double> places(const std::vector<double>& values, const Scale& scale, double begin, double length) {
  std::vector<double> at;
  for (const double value : values) {
    const double share = scale.share(value);
    at.push_back(is_inside(share) ? begin + length * share : std::numeric_limits<double>::quiet_NaN());
  }
  return at;
}

std::vector<double> across(const Frame& f, const std::vector<double>& values) {
  return places(values, f.x, f.box.left, f.box.width);
}
std::vector<double> down(const Frame& f, const std::vector<double>& values) {
  return places(values, f.y, f.box.bottom(), -f.box.height);
}

void add_lines(Layer& layer, const Sheet& s, const std::vector<double>& xs, const std::vector<double>& ys,
               Color color) {
  const Box& box = s.frame.box;
  Shape lines{{}, false, {}, Pen{color, 0.8}};
  for (const double x : across(s.frame, xs))
    if (!std::isnan(x)) lines.paths.push_back({{x, box.top}, {x, box.bottom()}});
  for (const double y : down(s.frame, ys))
    if (!std::isnan(y)) lines.paths.push_back({{box.left, y}, {box.right(), y}});
  if (!lines.paths.empty()) layer.items.emplace_back(std::move(lines));
}

void draw_grid(Sheet& s, Layer& layer) {
  if (!s.axes.grid) return;
  const bool minor_x = s.frame.x.logarithmic || s.axes.minor_grid, minor_y = s.frame.y.logarithmic || s.axes.minor_grid;
  add_lines(layer, s, minor_x ? s.x.minor : std::vector<double>(), minor_y ? s.y.minor : std::vector<double>(),
            minor_color);
  add_lines(layer, s, s.x.values, s.y.values, grid_color);
}

void draw_frame(Sheet& s, Layer& layer) {
  const Box& box = s.frame.box;
  const Pen pen{black, 0.8};
  if (s.axes.box) layer.items.emplace_back(rectangle(box, std::nullopt, pen));
  else
    layer.items.emplace_back(
        Shape{{{{box.left, box.top}, {box.left, box.bottom()}, {box.right(), box.bottom()}}}, false, {}, pen});
  Shape ticks{{}, false, {}, pen};
  const auto add = [&](const std::vector<double>& xs, const std::vector<double>& ys, double length) {
    for (const double x : xs)
      if (!std::isnan(x)) ticks.paths.push_back({{x, box.bottom()}, {x, box.bottom() - length}});
    for (const double y : ys)
      if (!std::isnan(y)) ticks.paths.push_back({{box.left, y}, {box.left + length, y}});
  };
  add(across(s.frame, s.x.values), down(s.frame, s.y.values), tick_length);
  add(across(s.frame, s.x.minor), down(s.frame, s.y.minor), tick_length / 2);
  if (!ticks.paths.empty()) layer.items.emplace_back(std::move(ticks));
}

void draw_tick_labels(Sheet& s, Layer& layer) {
  const Box& box = s.frame.box;
  const std::vector<double> xs = across(s.frame, s.x.values), ys = down(s.frame, s.y.values);
  const double base = box.bottom() + tick_length + s.font;
  for (std::size_t k = 0; k < xs.size(); ++k)
    if (!std::isnan(xs[k])) layer.items.emplace_back(Label{{xs[k], base}, s.x.labels[k], s.font});
  for (std::size_t k = 0; k < ys.size(); ++k)
    if (!std::isnan(ys[k]))
      layer.items.emplace_back(
          Label{{box.left - tick_length, ys[k] + s.font * 0.35}, s.y.labels[k], s.font, Anchor::end});
  if (!s.x.factor.empty())
    layer.items.emplace_back(Label{{box.right(), base + s.font * 1.15}, s.x.factor, s.font * 0.95, Anchor::end});
  if (!s.y.factor.empty())
    layer.items.emplace_back(Label{{box.left, box.top - 4}, s.y.factor, s.font * 0.95, Anchor::start});
}

void draw_title(const Sheet& s, const Box& cell, Layer& layer) {
  const std::vector<std::string> lines = lines_of(s.axes.title);
  double base = s.frame.box.top - 8 - static_cast<double>(lines.size() - 1) * s.title_size() * 1.3;
  base = std::max(base, cell.top + s.title_size());
  for (const std::string& line : lines) {
    layer.items.emplace_back(
        Label{{s.frame.box.left + s.frame.box.width / 2, base}, line, s.title_size(), Anchor::middle, 0, true});
    base += s.title_size() * 1.3;
  }
}

void draw_axis_labels(const Sheet& s, Layer& layer) {
  const Box& box = s.frame.box;
  const std::string &x = s.axes.axis(Direction::x).label, &y = s.axes.axis(Direction::y).label;
  if (!x.empty())
    layer.items.emplace_back(
        Label{{box.left + box.width / 2, box.bottom() + tick_length + s.font * 2.4}, x, s.font * 1.05});
  if (!y.empty())
    layer.items.emplace_back(Label{{box.left - tick_length - 7 - widest(s.y) * s.font, box.top + box.height / 2},
                                   y,
                                   s.font * 1.05,
                                   Anchor::middle,
                                   90});
}

void draw_colorbar(const Sheet& s, Layer& layer) {
  const Box& box = s.frame.box;
  const Box bar{box.right() + bar_gap + legend_room(s.axes, s.font), box.top, bar_width, box.height};
  Pixels pixels{bar, {1, static_cast<std::int64_t>(s.shades.map.size()), {}, {}}};
  for (std::size_t k = 0; k < s.shades.map.size(); ++k) {
    pixels.picture.samples.push_back(static_cast<std::uint8_t>(s.shades.map.size() - 1 - k));
    for (const std::uint8_t part : {s.shades.map[k].red, s.shades.map[k].green, s.shades.map[k].blue})
      pixels.picture.palette.push_back(part);
  }
  layer.items.emplace_back(std::move(pixels));
  layer.items.emplace_back(rectangle(bar, std::nullopt, Pen{black, 0.8}));
  const Ticks ticks = ticks_of(s.shades.limits, false, most_ticks(box.height, 34));
  for (std::size_t k = 0; k < ticks.values.size(); ++k) {
    const double y = bar.bottom() - bar.height * s.shades.share(ticks.values[k]);
    layer.items.emplace_back(Shape{{{{bar.right(), y}, {bar.right() - tick_length, y}}}, false, {}, Pen{black, 0.8}});
    layer.items.emplace_back(
        Label{{bar.right() + tick_length, y + s.font * 0.35}, ticks.labels[k], s.font, Anchor::start});
  }
  if (!ticks.factor.empty())
    layer.items.emplace_back(Label{{bar.right(), bar.top - 4}, ticks.factor, s.font * 0.95, Anchor::middle});
}

void draw_flat(Sheet& s, const Box& cell) {
  const Box& box = s.frame.box;
  Layer below, inside{box, {}}, above, over;
  if (s.axes.visible) below.items.emplace_back(rectangle(box, white, std::nullopt));
  if (s.axes.visible) draw_grid(s, below);
  for (const Series& series : s.axes.series) {
    draw_series(series, s.axes, s.frame, s.shades, inside, above);
  }
  if (s.axes.visible) {
    draw_frame(s, over);
    draw_tick_labels(s, over);
    draw_axis_labels(s, over);
  }
  draw_title(s, cell, over);
  // Ticks and frame lie over the areas and under the markers.
  s.layers = {std::move(below), std::move(inside), std::move(over), std::move(above)};
}

void draw_in_space(Sheet& s, const Box& cell) {
  std::array<Scale, 3> scales;
  for (int k = 0; k < 3; ++k) scales[static_cast<std::size_t>(k)] = scale_of(s.axes, static_cast<Direction>(k), 6);
  Layer layer;
  draw_solid(s.axes, scales, s.frame.box, s.shades, s.font, layer);
  draw_title(s, cell, layer);
  s.layers = {std::move(layer)};
}

std::vector<Layer> lay_out(const Axes& axes, const Box& cell, double shrink) {
  Sheet sheet{axes, axes.font_size * pixels_per_font * shrink, {}, {}, {}, {}};
  sheet.shades.map = axes.colormap.empty() ? colormap_named("viridis") : axes.colormap;
  if (sheet.shades.map.size() > 256) sheet.shades.map.resize(256);
  sheet.shades.limits = shade_range(axes);
  const bool by_place =
      std::ranges::any_of(axes.series, [](const Series& s) { return s.mark == Mark::image && !s.scaled; });
  if (by_place && !axes.color_limits) sheet.shades.limits = {1, static_cast<double>(sheet.shades.map.size())};
  place_box(sheet, cell);
  if (axes.solid) draw_in_space(sheet, cell);
  else draw_flat(sheet, cell);
  Layer last;
  if (axes.colorbar) draw_colorbar(sheet, last);
  draw_legend(axes, sheet.frame, sheet.shades, sheet.font, last);
  sheet.layers.push_back(std::move(last));
  return std::move(sheet.layers);
}

}  // namespace

Drawing layout(const Figure& figure) {
  Drawing drawing{figure.width, figure.height, {}};
  drawing.layers.push_back({std::nullopt, {rectangle({0, 0, figure.width, figure.height}, white, std::nullopt)}});
  for (const Axes& axes : figure.axes) {
    const Box cell{axes.cell[0] * figure.width, axes.cell[1] * figure.height, axes.cell[2] * figure.width,
                   axes.cell[3] * figure.height};
    const double shrink = axes.cell[2] < 0.3 || axes.cell[3] < 0.3 ? 0.85 : 1;
    for (Layer& layer : lay_out(axes, cell, shrink)) drawing.layers.push_back(std::move(layer));
  }
  return drawing;
}

}  // namespace lac::runtime::figures
