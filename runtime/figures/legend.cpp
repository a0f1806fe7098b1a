// The legend: a row for each series with a name.
#include <algorithm>

#include "runtime/figures/frame.h"
#include "runtime/figures/markup.h"
#include "runtime/figures/style.h"

namespace lac::runtime::figures {
namespace {

constexpr double pad = 6, sample = 26, gap = 5;  // pixels

std::vector<const Series*> entries(const Axes& axes) {
  std::vector<const Series*> named;
  for (const Series& series : axes.series)
    if (!series.name.empty()) named.push_back(&series);
  return named;
}

double row_height(double font) { return font * 1.5; }

Box size_of(const std::vector<const Series*>& rows, double font) {
  double widest = 0;
  for (const Series* row : rows) widest = std::max(widest, text_width(row->name));
  return {0, 0, 2 * pad + sample + gap + widest * font * 1.02,
          static_cast<double>(rows.size()) * row_height(font) + pad};
}

bool stands_outside(const Axes& axes) { return axes.legend.location.find("outside") != std::string::npos; }

/// How much of the data the box would cover: points of lines, and the lines between them.
int covered(const Axes& axes, const Frame& frame, const Box& box) {
  int count = 0;
  const auto take = [&](Point p) {
    count += p.x > box.left - 3 && p.x < box.right() + 3 && p.y > box.top - 3 && p.y < box.bottom() + 3;
  };
  for (const Series& series : axes.series) {
    const std::size_t n = std::min(series.x.size(), series.y.size());
    const std::size_t step = std::max<std::size_t>(1, n / 2000);
    for (std::size_t k = 0; k < n; k += step) {
      const Point at =
          series.mark == Mark::lying_bars ? frame.at(series.y[k], series.x[k]) : frame.at(series.x[k], series.y[k]);
      take(at);
      const bool filled = series.mark == Mark::bars || series.mark == Mark::area || series.mark == Mark::stem;
      if (filled)
        for (int part = 1; part <= 8; ++part) take({at.x, at.y + (frame.box.bottom() - at.y) * part / 8.0});
      if (k + step >= n || series.mark != Mark::line) continue;
      const Point next = frame.at(series.x[k + step], series.y[k + step]);
      for (int part = 1; part < 8; ++part)
        take({at.x + (next.x - at.x) * part / 8.0, at.y + (next.y - at.y) * part / 8.0});
    }
  }
  return count;
}

struct Place {
  std::string_view name;
  double x, y;  ///< of the room that is left: 0 at the left and the top
};

constexpr Place places[] = {{"northeast", 1, 0}, {"northwest", 0, 0}, {"southeast", 1, 1}, {"southwest", 0, 1},
                            {"north", 0.5, 0},   {"south", 0.5, 1},   {"east", 1, 0.5},    {"west", 0, 0.5}};

Box box_in(const Box& frame, const Box& size, const Place& place) {
  constexpr double margin = 8;
  return {frame.left + margin + place.x * (frame.width - 2 * margin - size.width),
          frame.top + margin + place.y * (frame.height - 2 * margin - size.height), size.width, size.height};
}

Box placed(const Axes& axes, const Frame& frame, const Box& size) {
  const std::string& location = axes.legend.location;
  if (stands_outside(axes)) {
    constexpr double beside = 10;
    const double y = location.starts_with("south")  ? frame.box.bottom() - size.height
                     : location.starts_with("east") ? frame.box.top + (frame.box.height - size.height) / 2
                                                    : frame.box.top;
    return {frame.box.right() + beside, y, size.width, size.height};
  }
  const auto* named = std::ranges::find(places, location, &Place::name);
  if (named != std::end(places)) return box_in(frame.box, size, *named);
  Box best = box_in(frame.box, size, places[0]);
  int least = covered(axes, frame, best);
  for (const Place& place : places) {
    const Box box = box_in(frame.box, size, place);
    const int count = covered(axes, frame, box);
    if (count >= least) continue;
    least = count;
    best = box;
  }
  return best;
}

void draw_sample(const Series& s, const Shades& shades, double left, double middle, Layer& out) {
  const Pen pen{color_of(s), s.look.width * line_pixels, s.look.dash};
  const bool area = s.mark == Mark::area || s.mark == Mark::bars || s.mark == Mark::lying_bars ||
                    s.mark == Mark::polygon || s.mark == Mark::filled_contour || s.mark == Mark::surface ||
                    s.mark == Mark::cells;
  const bool by_map = s.mark == Mark::contour || s.mark == Mark::filled_contour || s.mark == Mark::surface ||
                      s.mark == Mark::cells || s.mark == Mark::mesh || !s.colors.empty();
  const Color color = by_map && !s.look.color ? color_at(shades.map, 0.5) : s.look.face.value_or(color_of(s));
  if (area) {
    const double half = 4.5;
    out.items.emplace_back(Shape{{{{left + 3, middle - half},
                                   {left + sample - 3, middle - half},
                                   {left + sample - 3, middle + half},
                                   {left + 3, middle + half}}},
                                 true,
                                 s.look.no_face ? std::nullopt : std::optional(color),
                                 s.look.no_edge ? std::nullopt : std::optional(Pen{s.look.edge.value_or(black), 0.8}),
                                 s.look.opacity});
    return;
  }
  if (s.mark != Mark::scatter && pen.dash != Dash::none)
    out.items.emplace_back(Shape{{{{left, middle}, {left + sample, middle}}},
                                 false,
                                 {},
                                 Pen{by_map && !s.look.color ? color : pen.color, pen.width, pen.dash}});
  if (s.look.marker != 0) {
    Markers marks{{{left + sample / 2, middle}},
                  s.look.marker,
                  s.look.marker_size,
                  s.look.edge.value_or(by_map ? color : color_of(s)),
                  {},
                  std::max(1.0, pen.width * 0.8)};
    if (marks.letter == '.') marks.size *= 0.6;
    if (s.look.filled || marks.letter == '.') marks.fill = color;
    out.items.emplace_back(std::move(marks));
  }
}

}  // namespace

double legend_room(const Axes& axes, double font) {
  const auto rows = entries(axes);
  return axes.legend.shown && !rows.empty() && stands_outside(axes) ? size_of(rows, font).width + 14 : 0;
}

void draw_legend(const Axes& axes, const Frame& frame, const Shades& shades, double font, Layer& out) {
  const auto rows = entries(axes);
  if (!axes.legend.shown || rows.empty()) return;
  const Box box = placed(axes, frame, size_of(rows, font));
  if (axes.legend.boxed)
    out.items.emplace_back(
        Shape{{{{box.left, box.top}, {box.right(), box.top}, {box.right(), box.bottom()}, {box.left, box.bottom()}}},
              true,
              white,
              Pen{Color{90, 90, 90}, 0.7},
              0.9});
  double middle = box.top + pad / 2 + row_height(font) / 2;
  for (const Series* row : rows) {
    draw_sample(*row, shades, box.left + pad, middle, out);
    out.items.emplace_back(
        Label{{box.left + pad + sample + gap, middle + font * 0.35}, row->name, font, Anchor::start, 0, false, black});
    middle += row_height(font);
  }
}

}  // namespace lac::runtime::figures
