// Commands that add series to the axes.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "runtime/figures/draw.h"
#include "runtime/figures/style.h"

namespace lac::runtime::figures {
namespace {

std::vector<double> counting(std::int64_t n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

std::vector<double> column(const Grid& grid, std::int64_t j) {
  const auto begin = grid.values.begin() + static_cast<std::ptrdiff_t>(j * grid.rows);
  return {begin, begin + static_cast<std::ptrdiff_t>(grid.rows)};
}

Grid transposed(const Grid& grid) {
  Grid result{grid.cols, grid.rows, std::vector<double>(grid.values.size())};
  for (std::int64_t i = 0; i < grid.rows; ++i)
    for (std::int64_t j = 0; j < grid.cols; ++j) result.at(j, i) = grid.at(i, j);
  return result;
}

bool is_vector(const Grid& grid) { return grid.rows == 1 || grid.cols == 1; }
Grid standing(Grid grid) { return grid.rows == 1 ? transposed(grid) : grid; }

struct Columns {
  std::vector<std::vector<double>> x, y;
};

/// Pairs of columns as plot pairs them: a vector goes with every column, or every row, of a matrix.
Columns paired(const Arguments& a) {
  Grid y = standing(a.grid("y"));
  Columns pairs;
  if (!a.has("x")) {
    for (std::int64_t j = 0; j < y.cols; ++j) {
      pairs.x.push_back(counting(y.rows));
      pairs.y.push_back(column(y, j));
    }
    return pairs;
  }
  Grid x = standing(a.grid("x"));
  if (x.count() == 0 && y.count() == 0) return pairs;
  if (x.cols == 1 && x.rows != y.rows && x.rows == y.cols) y = transposed(y);
  if (y.cols == 1 && y.rows != x.rows && y.rows == x.cols) x = transposed(x);
  if (x.rows != y.rows || (x.cols != y.cols && x.cols != 1 && y.cols != 1))
    throw Refused{is_vector(x) && is_vector(y) ? "__plt2vv__: vector lengths must match"
                                               : "__plt2mm__: matrix dimensions must match"};
  const std::int64_t count = std::max(x.cols, y.cols);
  for (std::int64_t j = 0; j < count; ++j) {
    pairs.x.push_back(column(x, x.cols == 1 ? 0 : j));
    pairs.y.push_back(column(y, y.cols == 1 ? 0 : j));
  }
  return pairs;
}

void apply_properties(const Arguments& a, Series& series) {
  Look& look = series.look;
  if (a.has("style") && !apply_style(a.text("style"), look))
    throw Refused{"plot: '" + a.text("style") + "' is no line style"};
  look.width = std::clamp(a.number("linewidth", look.width), 0.0, 100.0);
  look.marker_size = std::clamp(a.number("markersize", look.marker_size), 0.1, 200.0);
  if (const auto color = a.color("color")) look.color = color;
  if (const auto face = a.color("facecolor")) look.face = face;
  if (const auto edge = a.color("edgecolor")) look.edge = edge;
  if (const auto face = a.color("markerfacecolor")) look.face = face;
  if (const auto edge = a.color("markeredgecolor")) look.edge = edge;
  if (a.has("markerfacecolor")) look.filled = a.text("markerfacecolor") != "none";
  look.no_face = look.no_face || a.text("facecolor") == "none";
  look.no_edge = look.no_edge || a.text("edgecolor") == "none";
  look.opacity = std::clamp(a.number("facealpha", look.opacity), 0.0, 1.0);
  if (const auto dash = dash_named(a.text("linestyle")); a.has("linestyle") && dash) look.dash = *dash;
  if (const auto marker = marker_named(a.text("marker")); a.has("marker") && marker) look.marker = *marker;
  if (a.has("displayname")) series.name = a.text("displayname");
  series.width = a.number("barwidth", series.width);
  series.base = a.number("basevalue", series.base);
}

void add(Figures& figures, const Arguments& a, Series series, bool takes_color = true) {
  Axes& axes = current_axes(figures);
  apply_properties(a, series);
  series.color_index = axes.next_color;
  if (takes_color && !series.look.color) ++axes.next_color;
  axes.series.push_back(std::move(series));
}

/// Marks of columns: line, area, stairs, stem.
template <Mark mark>
void columns(Figures& figures, const Arguments& a) {
  Columns pairs = paired(a);
  if (pairs.y.empty()) pairs = {{{}}, {{}}};  // a line without points: the axes are there
  for (std::size_t k = 0; k < pairs.y.size(); ++k) {
    Series series;
    series.mark = mark;
    if (mark == Mark::stem) series.look.marker = 'o';
    series.x = std::move(pairs.x[k]);
    series.y = std::move(pairs.y[k]);
    add(figures, a, std::move(series));
  }
}

// Areas stand on one another.
void area(Figures& figures, const Arguments& a) {
  if (a.has("level") && a.grid("level").count() != 1) throw Refused{"area: LVL must be a real scalar"};
  Columns pairs = paired(a);
  std::vector<double> below;
  for (std::size_t k = 0; k < pairs.y.size(); ++k) {
    Series series;
    series.mark = Mark::area;
    series.x = pairs.x[k];
    if (below.empty()) below.assign(series.x.size(), a.number("level", 0));
    series.low = below;
    for (std::size_t i = 0; i < below.size(); ++i) below[i] = (k == 0 ? 0 : below[i]) + pairs.y[k][i];
    series.y = below;
    add(figures, a, std::move(series));
  }
}

void line_in_space(Figures& figures, const Arguments& a) {
  const Grid x = standing(a.grid("x")), y = standing(a.grid("y")), z = standing(a.grid("z"));
  if (x.count() != y.count() || x.count() != z.count()) throw Refused{"plot3: x, y, and z must have the same shape"};
  current_axes(figures).solid = true;
  for (std::int64_t j = 0; j < x.cols; ++j) {
    Series series;
    series.x = column(x, j);
    series.y = column(y, j);
    series.z = column(z, j);
    add(figures, a, std::move(series));
  }
}

void errors(Figures& figures, const Arguments& a) {
  Columns pairs = paired(a);
  const Grid low = standing(a.grid("low")), high = a.has("high") ? standing(a.grid("high")) : low;
  for (std::size_t k = 0; k < pairs.y.size(); ++k) {
    const auto j = static_cast<std::int64_t>(k);
    if (low.rows != static_cast<std::int64_t>(pairs.y[k].size()) || high.rows != low.rows || j >= low.cols ||
        j >= high.cols)
      throw Refused{"errorbar: size of X, Y, and bounds must match"};
    Series series;
    series.mark = Mark::errors;
    series.x = std::move(pairs.x[k]);
    series.y = std::move(pairs.y[k]);
    series.low = column(low, j);
    series.high = column(high, j);
    add(figures, a, std::move(series));
  }
}

void scatter(Figures& figures, const Arguments& a) {
  Series series;
  series.mark = Mark::scatter;
  series.x = a.values("x");
  series.y = a.values("y");
  series.z = a.values("z");
  if (series.x.size() != series.y.size() || (a.has("z") && series.z.size() != series.x.size()))
    throw Refused{"scatter: x and y must be vectors of the same length"};
  if (a.has("z")) current_axes(figures).solid = true;
  series.look.marker = 'o';
  series.look.dash = Dash::none;
  series.look.filled = a.has("filled");
  series.sizes = a.values("size");
  const std::size_t n = series.x.size();
  if (series.sizes.size() > 1 && series.sizes.size() != n)
    throw Refused{"scatter: the size must be a scalar or a vector with as many elements as x"};
  if (a.has("shade") && a.is_text("shade")) {
    series.look.color = a.color("shade");
  } else if (a.has("shade")) {
    const std::vector<double> shade = a.values("shade");
    if (shade.size() == n && (n != 3 || a.grid("shade").cols == 1)) series.colors = shade;
    else if (shade.size() == 3) series.look.color = a.color("shade");
    else if (!shade.empty())
      throw Refused{"scatter: the colour must be one colour or a vector with as many elements as x"};
  }
  const bool marked = a.has("style");
  add(figures, a, std::move(series));
  if (marked) current_axes(figures).series.back().look.dash = Dash::none;
}

/// Bars of the columns side by side, or one on the other.
template <Mark mark>
void bars(Figures& figures, const Arguments& a) {
  Grid y = standing(a.grid("y"));
  if (a.has("x") && !is_vector(a.grid("x"))) throw Refused{a.command() + ": X must be a vector"};
  std::vector<double> x = a.has("x") ? a.values("x") : counting(y.rows);
  if (static_cast<std::int64_t>(x.size()) != y.rows && static_cast<std::int64_t>(x.size()) == y.cols) y = transposed(y);
  if (static_cast<std::int64_t>(x.size()) != y.rows) throw Refused{a.command() + ": length of X and Y must be equal"};
  double slot = 1;
  std::vector<double> sorted = x;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end())
    throw Refused{a.command() + ": X vector values must be unique"};
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const double gap = sorted[i] - sorted[i - 1];
    if (gap > 0) slot = i == 1 ? gap : std::min(slot, gap);
  }
  const bool stacked = a.text("how") == "stacked";
  const double share = std::clamp(a.number("width", 0.8), 0.01, 1.0);
  std::vector<double> below(x.size(), a.number("basevalue", 0));
  for (std::int64_t j = 0; j < y.cols; ++j) {
    Series series;
    series.mark = mark;
    series.x = x;
    series.y = column(y, j);
    series.low = below;
    const double each = stacked ? 1 : 1 / static_cast<double>(y.cols);
    series.width = slot * share * each;
    series.shift = stacked ? 0 : slot * share * (static_cast<double>(j) + 0.5) * each - slot * share / 2;
    if (stacked) {
      for (std::size_t i = 0; i < below.size(); ++i) below[i] += std::isfinite(series.y[i]) ? series.y[i] : 0;
      series.y = below;
    }
    const double width = series.width;
    add(figures, a, std::move(series));
    current_axes(figures).series.back().width = width;
  }
}

// How many values lie around each centre; a number stands for as many centres at equal distances.
void histogram(Figures& figures, const Arguments& a) {
  std::vector<double> values = a.values("y");
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) throw Refused{"hist: Y must not be empty"};
  const Grid bins = a.grid("centers"), norm = a.grid("norm");
  if (bins.count() > 1 && !is_vector(bins)) throw Refused{"hist: bin specification must be a scalar or vector"};
  if (!std::ranges::all_of(norm.values, [](double each) { return each > 0; }))
    throw Refused{"hist: NORM must be a numeric constant > 0"};
  if (norm.count() > 1) throw Refused{"hist: NORM must be scalar or vector of length 'columns (Y)'"};
  std::vector<double> centers = a.values("centers");
  if (centers.size() < 2) {
    const double count = centers.empty() ? 10 : centers[0];
    if (!(count >= 1 && count <= 1e6)) throw Refused{"hist: number of bins NBINS must be positive"};
    const auto n = static_cast<std::size_t>(count);
    auto [low, high] = std::ranges::minmax(values);
    if (low == high) {
      low -= 0.5;
      high += 0.5;
    }
    const double step = (high - low) / static_cast<double>(n);
    centers.resize(n);
    for (std::size_t k = 0; k < n; ++k) centers[k] = low + step * (static_cast<double>(k) + 0.5);
  }
  std::vector<double> counts(centers.size());
  for (const double value : values) {
    const auto above = std::ranges::lower_bound(centers, value);
    auto place = static_cast<std::size_t>(above - centers.begin());
    if (place == centers.size() || (place > 0 && value - centers[place - 1] < centers[place] - value)) --place;
    counts[place] += 1;
  }
  if (a.has("norm"))
    for (double& count : counts) count *= a.number("norm", 1) / static_cast<double>(values.size());
  Series series;
  series.mark = Mark::bars;
  series.x = centers;
  series.y = std::move(counts);
  series.low.assign(centers.size(), 0);
  series.width = centers.size() > 1 ? centers[1] - centers[0] : 1;
  series.look.edge = black;
  const double width = series.width;
  add(figures, a, std::move(series));
  current_axes(figures).series.back().width = width;
}

/// The nodes of a grid of values: given as vectors or matrices, or counted from 1.
void place_nodes(const Arguments& a, Series& series) {
  const Grid &values = series.grid, x = a.grid("x"), y = a.grid("y");
  const auto node = [&](const Grid& given, bool along_columns, const char* what) {
    Grid nodes{values.rows, values.cols, std::vector<double>(values.values.size())};
    if (a.has(what) && given.rows == values.rows && given.cols == values.cols && !is_vector(values)) return given;
    const std::int64_t n = along_columns ? values.cols : values.rows;
    if (a.has(what) && given.count() != n)
      throw Refused{a.command() + ": X, Y and Z must have matching sizes: " + std::to_string(given.count()) +
                    " values of " + what + " for " + std::to_string(n) + (along_columns ? " columns" : " rows")};
    for (std::int64_t i = 0; i < values.rows; ++i)
      for (std::int64_t j = 0; j < values.cols; ++j) {
        const std::int64_t k = along_columns ? j : i;
        nodes.at(i, j) = a.has(what) ? given.values[static_cast<std::size_t>(k)] : static_cast<double>(k + 1);
      }
    return nodes;
  };
  series.grid_x = node(x, true, "x");
  series.grid_y = node(y, false, "y");
}

template <Mark mark>
void grid_of_values(Figures& figures, const Arguments& a) {
  Series series;
  series.mark = mark;
  series.grid = a.grid("z");
  place_nodes(a, series);
  series.levels = a.values("levels");
  if (mark == Mark::contour && a.has("style")) series.look.color = black;
  if (mark == Mark::surface || mark == Mark::mesh) current_axes(figures).solid = true;
  add(figures, a, std::move(series), false);
}

// An image fills cells around its nodes; the first row lies at the top.
void image(Figures& figures, const Arguments& a) {
  Series series;
  series.mark = Mark::image;
  series.grid = a.grid("z");
  series.scaled = a.has("scaled");
  const auto ends = [&](const char* what, std::int64_t n) {
    const std::vector<double> given = a.values(what);
    if (given.empty()) return std::vector{1.0, static_cast<double>(n)};
    return std::vector{given.front(), given.size() > 1 ? given.back() : given.front() + static_cast<double>(n - 1)};
  };
  series.x = ends("x", series.grid.cols);
  series.y = ends("y", series.grid.rows);
  Axes& axes = current_axes(figures);
  if (!axes.hold) axes.axis(Direction::y).reversed = true;
  if (!axes.hold) axes.axis(Direction::x).tight = axes.axis(Direction::y).tight = true;
  const std::vector<double> limits = a.values("limits");
  if (limits.size() == 2 && limits[0] < limits[1]) axes.color_limits = Range{limits[0], limits[1]};
  add(figures, a, std::move(series), false);
}

void arrows(Figures& figures, const Arguments& a) {
  Series series;
  series.mark = Mark::arrows;
  const Grid u = a.grid("u"), v = a.grid("v");
  if (u.rows != v.rows || u.cols != v.cols) throw Refused{"quiver: U and V must be the same shape"};
  series.grid = u;
  place_nodes(a, series);
  series.x = series.grid_x.values;
  series.y = series.grid_y.values;
  series.low = u.values;
  series.high = v.values;
  // The longest arrow spans a cell, times the scale; 0: as long as the data say.
  const double scale = a.number("scale", 1);
  if (scale > 0 && !series.x.empty()) {
    const auto extent = [](const std::vector<double>& values) {
      const auto [low, high] = std::ranges::minmax(values);
      return high - low;
    };
    const double cells = std::max(1.0, std::sqrt(static_cast<double>(u.count())) - 1);
    const double cell = std::max(extent(series.x), extent(series.y)) / cells;
    double longest = 0;
    for (std::size_t k = 0; k < u.values.size(); ++k)
      if (const double length = std::hypot(u.values[k], v.values[k]); std::isfinite(length))
        longest = std::max(longest, length);
    const double factor = longest > 0 ? 0.9 * scale * (cell > 0 ? cell : 1) / longest : 1;
    for (double& each : series.low) each *= factor;
    for (double& each : series.high) each *= factor;
  }
  series.grid = series.grid_x = series.grid_y = {};
  add(figures, a, std::move(series));
}

void polygon(Figures& figures, const Arguments& a) {
  const Grid x = standing(a.grid("x")), y = standing(a.grid("y"));
  if (x.rows != y.rows || x.cols != y.cols) throw Refused{a.text("call") + ": X and Y must have the same size"};
  const Grid shade = a.is_text("shade") ? Grid{} : a.grid("shade");
  for (std::int64_t j = 0; j < x.cols; ++j) {
    Series series;
    series.mark = Mark::polygon;
    series.x = column(x, j);
    series.y = column(y, j);
    if (a.is_text("shade") || (shade.rows == 1 && shade.cols == 3)) series.look.color = a.color("shade");
    else if (shade.count() == 1 || shade.count() == x.cols)
      series.colors = {shade.values[static_cast<std::size_t>(shade.count() == 1 ? 0 : j)]};
    else if (shade.rows == x.rows && shade.cols == x.cols) {
      double sum = 0;
      for (std::int64_t i = 0; i < shade.rows; ++i) sum += shade.at(i, j);
      series.colors = {sum / static_cast<double>(shade.rows)};
    }
    add(figures, a, std::move(series));
  }
}

void text(Figures& figures, const Arguments& a) {
  const std::vector<double> x = a.values("x"), y = a.values("y"), z = a.values("z");
  const std::vector<std::string> texts = a.texts("text");
  if (x.size() != y.size() || (a.has("z") && z.size() != x.size()))
    throw Refused{"text: number of X, Y, and Z coordinates must match"};
  if (x.size() > 1 && texts.size() > 1 && texts.size() != x.size())
    throw Refused{"text: invalid combination of points and text strings"};
  for (std::size_t k = 0; k < x.size() && !texts.empty(); ++k) {
    Series series;
    series.mark = Mark::text;
    series.x = {x[k]};
    series.y = {y[k]};
    if (k < z.size()) series.z = {z[k]};
    series.text = texts[std::min(k, texts.size() - 1)];
    if (a.has("horizontalalignment")) series.align = a.text("horizontalalignment");
    if (a.has("verticalalignment")) series.valign = a.text("verticalalignment");
    series.rotation = a.number("rotation", 0);
    series.font_size = a.number("fontsize", 0);
    add(figures, a, std::move(series), false);
  }
}

struct Entry {
  std::string_view name;
  Command run;
};

constexpr Entry commands[] = {
    {"line", columns<Mark::line>},
    {"stairs", columns<Mark::stairs>},
    {"stem", columns<Mark::stem>},
    {"area", area},
    {"plot3", line_in_space},
    {"errorbar", errors},
    {"scatter", scatter},
    {"bar", bars<Mark::bars>},
    {"barh", bars<Mark::lying_bars>},
    {"hist", histogram},
    {"contour", grid_of_values<Mark::contour>},
    {"contourf", grid_of_values<Mark::filled_contour>},
    {"pcolor", grid_of_values<Mark::cells>},
    {"surf", grid_of_values<Mark::surface>},
    {"mesh", grid_of_values<Mark::mesh>},
    {"image", image},
    {"quiver", arrows},
    {"polygon", polygon},
    {"text", text},
};

}  // namespace

Command series_command(std::string_view name) {
  const auto* found = std::ranges::find(commands, name, &Entry::name);
  return found == std::end(commands) ? nullptr : found->run;
}

}  // namespace lac::runtime::figures
