// Commands about figures and axes; those that add series stand in series_commands.cpp.
#include "runtime/figures/draw.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "runtime/figures/drawing.h"
#include "runtime/figures/style.h"

namespace lac::runtime::figures {

Figure& current_figure(Figures& figures) {
  if (figures.current == 0) {
    int number = 1;
    while (figures.all.contains(number)) ++number;
    figures.current = number;
  }
  Figure& figure = figures.all[figures.current];
  figure.number = figures.current;
  return figure;
}

Axes& current_axes(Figures& figures) {
  Figure& figure = current_figure(figures);
  if (figure.axes.empty()) {
    figure.axes.emplace_back();
    figure.axes.back().colormap = figure.colormap;
    figure.current = 0;
  }
  return figure.axes[figure.current];
}

namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// -- figures

void resize(Figure& figure, const Arguments& a) {
  const std::vector<double> position = a.values("position");
  if (position.size() != 4 || !(position[2] >= 1) || !(position[3] >= 1)) return;
  figure.width = std::min(std::max(position[2], 60.0), 5000.0);
  figure.height = std::min(std::max(position[3], 60.0), 5000.0);
}

void figure(Figures& figures, const Arguments& a) {
  if (a.has("number")) {
    const double number = a.number("number", 1);
    if (!(number >= 1) || number != std::floor(number) || number > 1e6)
      throw Refused{"figure: N must be a positive integer"};
    figures.current = static_cast<int>(number);
  } else {
    figures.current = 0;
  }
  resize(current_figure(figures), a);
}

void close(Figures& figures, const Arguments& a) {
  if (a.text("which") == "all") {
    figures = {};
    return;
  }
  const int number = static_cast<int>(a.number("number", figures.current));
  if (a.has("number") && !figures.all.contains(number)) throw Refused{"close: no figure has the number that is given"};
  figures.all.erase(number);
  if (figures.current == number) figures.current = figures.all.empty() ? 0 : figures.all.rbegin()->first;
}

void clf(Figures& figures, const Arguments&) {
  Figure& figure = current_figure(figures);
  figure.axes.clear();
  figure.current = 0;
}

void set_figure(Figures& figures, const Arguments& a) { resize(current_figure(figures), a); }

// -- axes

void reset(Axes& axes) {
  Axes fresh;
  fresh.cell = axes.cell;
  fresh.place = axes.place;
  fresh.colormap = axes.colormap;
  fresh.font_size = axes.font_size;
  axes = std::move(fresh);
}

// What begins a drawing that takes the place of an earlier one, unless that is held.
void newplot(Figures& figures, const Arguments&) {
  Axes& axes = current_axes(figures);
  if (!axes.hold) reset(axes);
}

void subplot(Figures& figures, const Arguments& a) {
  const double rows = a.number("rows", 1), cols = a.number("cols", 1);
  const std::vector<double> places = a.values("index");
  if (!(rows >= 1 && cols >= 1 && rows <= 100 && cols <= 100) || places.empty())
    throw Refused{"subplot: ROWS, COLS and INDEX must be positive integers"};
  std::array<double, 4> cell = {1, 1, 0, 0};
  for (const double place : places) {
    if (!(place >= 1 && place <= rows * cols)) throw Refused{"subplot: INDEX value must be >= 1 and <= ROWS*COLS"};
    const double row = std::floor((place - 1) / cols), col = place - 1 - row * cols;
    cell = {std::min(cell[0], col / cols), std::min(cell[1], row / rows), std::max(cell[2], (col + 1) / cols),
            std::max(cell[3], (row + 1) / rows)};
  }
  cell[2] -= cell[0];
  cell[3] -= cell[1];
  Figure& figure = current_figure(figures);
  const auto same = std::ranges::find(figure.axes, cell, &Axes::cell);
  if (same != figure.axes.end()) {
    figure.current = static_cast<std::size_t>(same - figure.axes.begin());
    return;
  }
  const auto overlaps = [&](const Axes& other) {
    constexpr double slack = 1e-9;
    return other.cell[0] < cell[0] + cell[2] - slack && cell[0] < other.cell[0] + other.cell[2] - slack &&
           other.cell[1] < cell[1] + cell[3] - slack && cell[1] < other.cell[1] + other.cell[3] - slack;
  };
  std::erase_if(figure.axes, overlaps);
  Axes axes;
  axes.cell = cell;
  axes.colormap = figure.colormap;
  figure.axes.push_back(std::move(axes));
  figure.current = figure.axes.size() - 1;
}

void cla(Figures& figures, const Arguments&) {
  Axes& axes = current_axes(figures);
  axes.series.clear();
  axes.next_color = 0;
}

void switch_by(const Arguments& a, bool& state) {
  const std::string word = lower(a.text("state"));
  state = word.empty() ? !state : word == "on";
}

void hold(Figures& figures, const Arguments& a) { switch_by(a, current_axes(figures).hold); }
void box(Figures& figures, const Arguments& a) { switch_by(a, current_axes(figures).box); }

void grid(Figures& figures, const Arguments& a) {
  Axes& axes = current_axes(figures);
  const std::string word = lower(a.text("state"));
  if (word == "minor") axes.minor_grid = axes.grid = true;
  else if (word.empty()) axes.grid = !axes.grid;
  else axes.grid = word == "on";
  if (!axes.grid) axes.minor_grid = false;
}

Direction direction_of(char letter) {
  return letter == 'x' ? Direction::x : letter == 'y' ? Direction::y : Direction::z;
}

void set_limits(Axis& axis, double low, double high, const std::string& call) {
  if (!(low < high)) throw Refused{call + ": axis limits must be increasing"};
  if (std::isinf(low) || std::isinf(high)) {
    axis.limits.reset();  // an end from the data is no limit; both are, or none
    return;
  }
  axis.limits = Range{low, high};
}

/// xlim, ylim, zlim: [low high], or "auto".
void limits(Figures& figures, const Arguments& a) {
  const std::string which = a.text("axis");
  Axis& axis = current_axes(figures).axis(direction_of(which[0]));
  if (a.is_text("limits")) {
    axis.limits.reset();
    axis.tight = a.text("limits") == "tight";
    return;
  }
  const std::vector<double> range = a.values("limits");
  if (range.size() != 2) throw Refused{which + "lim: LIMITS must be a 2-element vector"};
  set_limits(axis, range[0], range[1], which + "lim");
}

struct AxisWord {
  std::string_view word;
  void (*apply)(Axes&);
};

void set_all(Axes& axes, bool tight) {
  for (Axis& axis : axes.axes) {
    axis.limits.reset();
    axis.tight = tight;
  }
}

constexpr AxisWord axis_words[] = {
    {"equal", [](Axes& axes) { axes.equal = true; }},
    {"image",
     [](Axes& axes) {
       axes.equal = true;
       set_all(axes, true);
     }},
    {"square", [](Axes& axes) { axes.equal = false; }},
    {"normal", [](Axes& axes) { axes.equal = false; }},
    {"tight", [](Axes& axes) { set_all(axes, true); }},
    {"auto", [](Axes& axes) { set_all(axes, false); }},
    {"on", [](Axes& axes) { axes.visible = true; }},
    {"off", [](Axes& axes) { axes.visible = false; }},
    {"xy", [](Axes& axes) { axes.axis(Direction::y).reversed = false; }},
    {"ij", [](Axes& axes) { axes.axis(Direction::y).reversed = true; }},
};

void axis(Figures& figures, const Arguments& a) {
  Axes& axes = current_axes(figures);
  const std::vector<double> limits = a.values("limits");
  if (a.has("limits")) {
    if (limits.size() != 4 && limits.size() != 6 && limits.size() != 2)
      throw Refused{"axis: LIMITS vector must have 2, 4, 6, or 8 elements"};
    for (std::size_t k = 0; k + 1 < limits.size(); k += 2)
      set_limits(axes.axes[k / 2], limits[k], limits[k + 1], "axis");
  }
  for (const std::string& word : a.texts("word")) {
    const auto* found = std::ranges::find(axis_words, lower(word), &AxisWord::word);
    if (found == std::end(axis_words)) throw Refused{"axis: unknown option " + word};
    found->apply(axes);
  }
}

void scale(Figures& figures, const Arguments& a) {
  Axes& axes = current_axes(figures);
  for (const std::string& letter : a.texts("log")) axes.axis(direction_of(letter[0])).logarithmic = true;
}

/// title, xlabel, ylabel, zlabel.
void caption(Figures& figures, const Arguments& a) {
  Axes& axes = current_axes(figures);
  const std::string which = a.text("of");
  std::string text;
  for (const std::string& line : a.texts("text")) text += (text.empty() ? "" : "\n") + line;
  (which == "title" ? axes.title : axes.axis(direction_of(which[0])).label) = text;
}

bool is_in_legend(const Series& series) { return series.mark != Mark::image && series.mark != Mark::text; }

void legend(Figures& figures, const Arguments& a) {
  Axes& axes = current_axes(figures);
  const std::string state = lower(a.text("state"));
  if (state == "off" || state == "hide") {
    axes.legend.shown = false;
    return;
  }
  axes.legend.shown = true;
  if (a.has("location")) axes.legend.location = lower(a.text("location"));
  if (state == "boxoff") axes.legend.boxed = false;
  const std::vector<std::string> names = a.texts("name");
  std::size_t next = 0;
  for (Series& series : axes.series)
    if (next < names.size() && is_in_legend(series)) series.name = names[next++];
  if (!names.empty() || !state.empty()) return;
  std::size_t number = 0;  // without names: those that the series have, or data1, data2, ...
  for (Series& series : axes.series)
    if (is_in_legend(series) && ++number > 0 && series.name.empty()) series.name = "data" + std::to_string(number);
}

void colorbar(Figures& figures, const Arguments& a) { current_axes(figures).colorbar = a.text("state") != "off"; }

void colormap(Figures& figures, const Arguments& a) {
  std::vector<Color> map;
  if (a.is_text("map")) {
    map = colormap_named(lower(a.text("map")), static_cast<int>(a.number("count", 64)));
    if (map.empty()) throw Refused{"colormap: failed to set MAP <" + a.text("map") + ">"};
  } else {
    const Grid rgb = a.grid("map");
    if (rgb.cols != 3 || rgb.rows == 0) throw Refused{"colormap: MAP must be a real-valued N x 3 ([R,G,B]) matrix"};
    if (std::ranges::any_of(rgb.values, [](double share) { return share < 0 || share > 1; }))
      throw Refused{"colormap: all MAP values must be in the range [0,1]"};
    const auto byte = [](double share) { return static_cast<std::uint8_t>(share > 0 ? std::lround(share * 255) : 0); };
    for (std::int64_t i = 0; i < rgb.rows; ++i)
      map.push_back({byte(rgb.at(i, 0)), byte(rgb.at(i, 1)), byte(rgb.at(i, 2))});
  }
  current_axes(figures);
  Figure& figure = current_figure(figures);
  figure.colormap = map;
  for (Axes& axes : figure.axes) axes.colormap = map;
}

void color_limits(Figures& figures, const Arguments& a) {
  Axes& axes = current_axes(figures);
  const std::vector<double> range = a.values("limits");
  if (a.is_text("limits")) axes.color_limits.reset();
  else if (range.size() == 2 && range[0] < range[1]) axes.color_limits = Range{range[0], range[1]};
  else throw Refused{"caxis: LIMITS must be a 2-element vector with increasing values"};
}

void shading(Figures& figures, const Arguments& a) {
  Axes& axes = current_axes(figures);
  const std::string word = lower(a.text("state"));
  axes.interpolated = word == "interp";
  axes.edgeless = word != "faceted";
}

void view(Figures& figures, const Arguments& a) {
  Axes& axes = current_axes(figures);
  std::vector<double> angles = a.values("angles");
  if (angles.size() == 1 && angles[0] == 2) angles = {0, 90};
  if (angles.size() == 1 && angles[0] == 3) angles = {-37.5, 30};
  if (angles.size() != 2) throw Refused{"view: AZIMUTH and ELEVATION are expected"};
  axes.azimuth = angles[0];
  axes.elevation = angles[1];
}

/// set(gca, ...).
void set_axes(Figures& figures, const Arguments& a) {
  Axes& axes = current_axes(figures);
  axes.font_size = std::clamp(a.number("fontsize", axes.font_size), 4.0, 60.0);
  for (const char letter : {'x', 'y', 'z'}) {
    Axis& axis = axes.axis(direction_of(letter));
    const std::string name(1, letter);
    if (a.has(name + "scale")) axis.logarithmic = lower(a.text(name + "scale")) == "log";
    if (a.has(name + "dir")) axis.reversed = lower(a.text(name + "dir")) == "reverse";
    if (a.has(name + "tick")) axis.ticks = a.values(name + "tick");
    if (a.has(name + "ticklabel")) axis.tick_labels = a.texts(name + "ticklabel");
    if (const auto range = a.values(name + "lim"); range.size() == 2) set_limits(axis, range[0], range[1], "set");
    if (a.has(name + "grid")) axes.grid = lower(a.text(name + "grid")) == "on";
  }
  if (a.has("box")) axes.box = lower(a.text("box")) == "on";
  if (const auto range = a.values("clim"); range.size() == 2 && range[0] < range[1])
    axes.color_limits = Range{range[0], range[1]};
}

struct Entry {
  std::string_view name;
  Command run;
};

constexpr Entry commands[] = {
    {"figure", figure},
    {"close", close},
    {"clf", clf},
    {"cla", cla},
    {"set_figure", set_figure},
    {"newplot", newplot},
    {"subplot", subplot},
    {"hold", hold},
    {"box", box},
    {"grid", grid},
    {"limits", limits},
    {"axis", axis},
    {"scale", scale},
    {"caption", caption},
    {"legend", legend},
    {"colorbar", colorbar},
    {"colormap", colormap},
    {"caxis", color_limits},
    {"shading", shading},
    {"view", view},
    {"set_axes", set_axes},
};

std::string format_of(const Arguments& a) {
  if (a.has("format")) return lower(a.text("format"));
  const std::string path = a.text("path");
  const std::size_t dot = path.find_last_of("./");
  return dot == std::string::npos || path[dot] == '/' ? "" : lower(path.substr(dot + 1));
}

void print(Figures& figures, const Arguments& a, const WriteFile& write) {
  const double number = a.number("number", figures.current);
  const auto found = figures.all.find(static_cast<int>(number));
  if (found == figures.all.end()) throw Refused{"print: no figure to print"};
  std::string path = a.text("path");
  const std::string format = format_of(a);
  if (a.has("format") &&
      path.find('.', path.find_last_of('/') == std::string::npos ? 0 : path.find_last_of('/')) == std::string::npos)
    path += "." + format;
  write(path, file_bytes(found->second, format, a.number("resolution", 150)));
  found->second.saved = true;
}

}  // namespace

bool shows_something(const Figure& figure) {
  return std::ranges::any_of(figure.axes, [](const Axes& axes) { return !axes.series.empty() || !axes.title.empty(); });
}

std::string file_bytes(const Figure& figure, const std::string& format, double resolution) {
  constexpr double screen_resolution = 72;
  if (format != "svg" && format != "png")
    throw Refused{"print: ." + format + " files are outside the language: figures are written as .svg and .png"};
  const Drawing drawing = layout(figure);
  Result<std::string> bytes = format == "svg"
                                  ? svg_text(drawing)
                                  : png_bytes(drawing, std::clamp(resolution, 20.0, 1200.0) / screen_resolution);
  if (!bytes) throw Refused{"print: " + bytes.failure().message};
  return bytes.take();
}

void draw(Figures& figures, const Arguments& arguments, const WriteFile& write) {
  if (arguments.command() == "print") return print(figures, arguments, write);
  Command command = series_command(arguments.command());
  if (command == nullptr) {
    const auto* found = std::ranges::find(commands, arguments.command(), &Entry::name);
    if (found == std::end(commands)) throw InternalError("no drawing command '" + arguments.command() + "'");
    command = found->run;
  }
  command(figures, arguments);
  if (figures.current != 0) figures.all[figures.current].saved = false;
}

}  // namespace lac::runtime::figures
