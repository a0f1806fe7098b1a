// What a program has drawn, as values: figures hold axes, axes hold series. Nothing here knows of pixels or files.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lac::runtime::figures {

struct Color {
  std::uint8_t red = 0, green = 0, blue = 0;
  bool operator==(const Color&) const = default;
};

constexpr Color black{0, 0, 0}, white{255, 255, 255};

enum class Dash : std::uint8_t { none, solid, dashed, dotted, dash_dotted };

/// A matrix in column-major order.
struct Grid {
  std::int64_t rows = 0, cols = 0;
  std::vector<double> values;

  std::int64_t count() const { return rows * cols; }
  double at(std::int64_t i, std::int64_t j) const { return values[static_cast<std::size_t>(j * rows + i)]; }
  double& at(std::int64_t i, std::int64_t j) { return values[static_cast<std::size_t>(j * rows + i)]; }
};

/// How a series looks. What is not set comes from the axes: the colour order, the colour map.
struct Look {
  std::optional<Color> color;  ///< of the line, of the bars
  std::optional<Color> face, edge;
  bool no_face = false, no_edge = false;
  Dash dash = Dash::solid;
  char marker = 0;                    ///< Octave's letter; 0: none
  double width = 1, marker_size = 6;  ///< in points
  double opacity = 1;
  bool filled = false;  ///< markers
};

enum class Mark : std::uint8_t {
  line,
  errors,
  area,
  stairs,
  stem,
  scatter,
  bars,
  lying_bars,
  contour,
  filled_contour,
  image,
  cells,
  surface,
  mesh,
  arrows,
  polygon,
  text
};

/// Coordinates are columns of one length, or a grid; which of them a mark has, its command says (draw.cpp).
struct Series {
  Mark mark = Mark::line;
  std::vector<double> x, y, z;
  std::vector<double> low, high;      ///< errors; arrows: their direction
  Grid grid, grid_x, grid_y;          ///< marks of a grid: values, and places of the nodes
  std::vector<double> levels;         ///< contours
  std::vector<double> sizes, colors;  ///< scatter: of each marker, or one or none; colours go through the colour map
  bool scaled = true;                 ///< images: through the colour limits, not by position in the colour map
  double width = 0.8, base = 0;       ///< bars: of their slot
  double shift = 0;                   ///< bars: their centre in the slot
  std::string text;
  std::string align = "left", valign = "middle";
  double rotation = 0, font_size = 0;
  std::string name;  ///< in the legend
  Look look;
  std::size_t color_index = 0;  ///< into the colour order
};

struct Range {
  double low = 0, high = 1;
};

enum class Direction : std::uint8_t { x, y, z };

struct Axis {
  std::string label;
  std::optional<Range> limits;  ///< none: from the data
  bool logarithmic = false, reversed = false;
  bool tight = false;  ///< limits of the data as they are
  std::optional<std::vector<double>> ticks;
  std::optional<std::vector<std::string>> tick_labels;
};

struct Legend {
  bool shown = false, boxed = true;
  std::string location;  ///< empty: where it covers least
};

struct Axes {
  /// Of the figure: left, bottom, width, height from 0 to 1.
  std::array<double, 4> cell = {0, 0, 1, 1};
  std::array<int, 3> place = {1, 1, 1};  ///< rows, columns, number of the subplot
  std::vector<Series> series;
  std::array<Axis, 3> axes;
  std::string title;
  Legend legend;
  bool hold = false, grid = false, minor_grid = false, visible = true, equal = false, box = true;
  bool solid = false;  ///< three directions are shown
  bool colorbar = false;
  std::vector<Color> colormap;  ///< empty: viridis
  std::optional<Range> color_limits;
  bool interpolated = false, edgeless = false;  ///< shading of cells and surfaces
  double azimuth = -37.5, elevation = 30;
  double font_size = 10;
  std::size_t next_color = 0;

  Axis& axis(Direction direction) { return axes[static_cast<std::size_t>(direction)]; }
  const Axis& axis(Direction direction) const { return axes[static_cast<std::size_t>(direction)]; }
};

struct Figure {
  int number = 1;
  double width = 560, height = 420;
  std::vector<Axes> axes;
  std::size_t current = 0;  ///< into axes, where there are any
  std::vector<Color> colormap;
  bool saved = false;  ///< the program itself has written it as it stands
};

/// The figures of a run. A copy is a state of its own.
struct Figures {
  std::map<int, Figure> all;
  int current = 0;  ///< 0: none
};

}  // namespace lac::runtime::figures
