// A drawing: shapes, labels and pictures at their places in pixels, y downwards. Writers turn it into files.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/support/result.h"
#include "runtime/figures/figure.h"
#include "runtime/files/picture.h"

namespace lac::runtime::figures {

struct Point {
  double x = 0, y = 0;
};

struct Box {
  double left = 0, top = 0, width = 0, height = 0;
  double right() const { return left + width; }
  double bottom() const { return top + height; }
};

struct Pen {
  Color color = black;
  double width = 1;
  Dash dash = Dash::solid;
};

/// Lines and areas; of several paths an area is what lies in any of them.
struct Shape {
  std::vector<std::vector<Point>> paths;
  bool closed = false;
  std::optional<Color> fill = {};
  std::optional<Pen> pen = {};
  double opacity = 1;
};

/// One marker at many places.
struct Markers {
  std::vector<Point> centers;
  char letter = 'o';
  double size = 6;  ///< across
  Color color = black;
  std::optional<Color> fill = {};
  double width = 1;
};

enum class Anchor : std::uint8_t { start, middle, end };

/// Text with the markup of markup.h. Its baseline begins, has its middle or ends at the point.
struct Label {
  Point at;
  std::string text;
  double size = 11;
  Anchor anchor = Anchor::middle;
  double rotation = 0;  ///< degrees, counter-clockwise
  bool bold = false;
  Color color = black;
};

/// A picture with a palette, stretched over the box without smoothing.
struct Pixels {
  Box box;
  Picture picture;
};

using Item = std::variant<Shape, Markers, Label, Pixels>;

/// What is drawn, in order; inside the box where there is one.
struct Layer {
  std::optional<Box> clip;
  std::vector<Item> items;
};

struct Drawing {
  double width = 0, height = 0;
  std::vector<Layer> layers;
};

/// Where everything of a figure stands.
Drawing layout(const Figure& figure);

/// The outline of a marker around (0, 0), as lines; whether it is an area.
struct Outline {
  std::vector<std::vector<Point>> paths;
  bool closed = false;
};
Outline marker_outline(char letter, double size);

/// The text of the SVG file: the same bytes everywhere.
Result<std::string> svg_text(const Drawing& drawing);
/// The bytes of a PNG file, drawn by libcairo.so.2, which is opened here. Fails where it is missing.
Result<std::string> png_bytes(const Drawing& drawing, double scale);

}  // namespace lac::runtime::figures
