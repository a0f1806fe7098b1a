// A drawing as an SVG file.
#include <fmt/format.h>

#include <cmath>

#include "runtime/figures/drawing.h"
#include "runtime/figures/markup.h"

namespace lac::runtime::figures {
namespace {

/// At most two decimals, without zeros at the end: the same text everywhere.
std::string number(double value) {
  const double rounded = std::round(value * 100) / 100;
  std::string text = fmt::format("{:.2f}", rounded == 0 ? 0.0 : rounded);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string color(Color c) { return fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue); }

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '"') out += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20) out += c;
  }
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    unsigned group = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - k);
    for (std::size_t i = 0; i < 3; ++i)
      group = group << 8 | (i < count ? static_cast<unsigned char>(bytes[k + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i) out += i <= count ? digits[group >> (18 - 6 * i) & 63] : '=';
  }
  return out;
}

constexpr std::string_view dash_text[] = {"", "", "6 4", "1.2 3", "6 3 1.2 3"};

std::string stroke(const std::optional<Pen>& pen) {
  if (!pen) return "";
  std::string text = fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", color(pen->color), number(pen->width));
  const std::string_view dash = dash_text[static_cast<std::size_t>(pen->dash)];
  if (!dash.empty()) text += fmt::format(" stroke-dasharray=\"{}\"", dash);
  return text;
}

/// The corners one after the other, each from the one before.
std::string path_data(const std::vector<Point>& path, bool closed) {
  std::string text;
  double x = 0, y = 0;  // as written: rounding does not add up
  for (std::size_t k = 0; k < path.size(); ++k) {
    const double px = std::round(path[k].x * 100) / 100, py = std::round(path[k].y * 100) / 100;
    const std::string dx = number(px - x), dy = number(py - y);
    text += fmt::format("{}{}{}{}",
                        k == 0                ? "M"
                        : k == 1              ? "l"
                        : dx.starts_with('-') ? ""
                                              : " ",
                        dx, dy.starts_with('-') ? "" : " ", dy);
    x = px;
    y = py;
  }
  return closed ? text + "z" : text;
}

void write(const Shape& shape, std::string& out) {
  out += "<path d=\"";
  for (const auto& path : shape.paths) out += path_data(path, shape.closed);
  out += fmt::format("\" fill=\"{}\"", shape.fill ? color(*shape.fill) : "none");
  if (shape.opacity < 1) out += fmt::format(" fill-opacity=\"{}\"", number(shape.opacity));
  out += stroke(shape.pen) + "/>\n";
}

void write(const Markers& marks, std::string& out) {
  const double r = marks.size / 2;
  const Outline outline = marker_outline(marks.letter, marks.size);
  out += "<path d=\"";
  for (const Point& center : marks.centers) {
    if (marks.letter == 'o' || marks.letter == '.') {
      out += fmt::format("M{} {}a{} {} 0 1 0 {} 0a{} {} 0 1 0-{} 0z", number(center.x - r), number(center.y), number(r),
                         number(r), number(2 * r), number(r), number(r), number(2 * r));
      continue;
    }
    for (std::vector<Point> path : outline.paths) {
      for (Point& p : path) p = {p.x + center.x, p.y + center.y};
      out += path_data(path, outline.closed);
    }
  }
  out += fmt::format("\" fill=\"{}\"", marks.fill ? color(*marks.fill) : "none");
  out += stroke(Pen{marks.color, marks.width}) + "/>\n";
}

constexpr std::string_view anchors[] = {"start", "middle", "end"};

void write(const Label& label, std::string& out) {
  if (label.text.empty()) return;
  out += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\"", number(label.at.x), number(label.at.y),
                     number(label.size));
  if (label.anchor != Anchor::start)
    out += fmt::format(" text-anchor=\"{}\"", anchors[static_cast<std::size_t>(label.anchor)]);
  if (label.bold) out += " font-weight=\"bold\"";
  if (label.color != black) out += fmt::format(" fill=\"{}\"", color(label.color));
  if (label.rotation != 0)
    out +=
        fmt::format(" transform=\"rotate({} {} {})\"", number(-label.rotation), number(label.at.x), number(label.at.y));
  out += ">";
  double raised = 0;
  for (const Run& run : runs_of(label.text)) {
    const double wanted = run.level * script_shift * label.size, shift = raised - wanted;
    raised = wanted;
    if (run.level == 0 && shift == 0) {
      out += escaped(run.text);
      continue;
    }
    out += fmt::format("<tspan dy=\"{}\"", number(shift));
    if (run.level != 0) out += fmt::format(" font-size=\"{}\"", number(label.size * script_size));
    out += ">" + escaped(run.text) + "</tspan>";
  }
  out += "</text>\n";
}

/// Each pixel as a block of pixels, so that viewers that smooth pictures, whatever they are asked, do not blur it.
Picture enlarged(const Picture& picture, const Box& box) {
  constexpr double wanted = 3;  // pixels of the file for one of the drawing
  const auto times = [](double length, std::int64_t count) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(wanted * length / static_cast<double>(count)));
  };
  const std::int64_t across = times(box.width, picture.width), down = times(box.height, picture.height);
  Picture large{picture.width * across, picture.height * down, {}, picture.palette};
  large.samples.reserve(static_cast<std::size_t>(large.width * large.height));
  for (std::int64_t i = 0; i < large.height; ++i)
    for (std::int64_t j = 0; j < large.width; ++j)
      large.samples.push_back(picture.samples[static_cast<std::size_t>(i / down * picture.width + j / across)]);
  return large;
}

void write_pixels(const Pixels& pixels, const std::string& png, std::string& out) {
  out += fmt::format(
      "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
      "image-rendering=\"pixelated\" href=\"data:image/png;base64,{}\"/>\n",
      number(pixels.box.left), number(pixels.box.top), number(pixels.box.width), number(pixels.box.height),
      base64(png));
}

}  // namespace

Result<std::string> svg_text(const Drawing& drawing) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"Helvetica, Arial, sans-serif\" stroke-linejoin=\"round\" xml:space=\"preserve\">\n",
      number(drawing.width), number(drawing.height));
  int clips = 0;
  for (const Layer& layer : drawing.layers) {
    if (layer.items.empty()) continue;
    if (layer.clip)
      out += fmt::format(
          "<clipPath id=\"c{0}\"><rect x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{4}\"/></clipPath>\n"
          "<g clip-path=\"url(#c{0})\">\n",
          ++clips, number(layer.clip->left), number(layer.clip->top), number(layer.clip->width),
          number(layer.clip->height));
    for (const Item& item : layer.items) {
      if (const auto* pixels = std::get_if<Pixels>(&item)) {
        const Result<std::string> png = encode_png(enlarged(pixels->picture, pixels->box));
        if (!png) return Failure{png.failure().message};
        write_pixels(*pixels, png.value(), out);
      }
      if (const auto* shape = std::get_if<Shape>(&item)) write(*shape, out);
      if (const auto* marks = std::get_if<Markers>(&item)) write(*marks, out);
      if (const auto* label = std::get_if<Label>(&item)) write(*label, out);
    }
    if (layer.clip) out += "</g>\n";
  }
  return out + "</svg>\n";
}

}  // namespace lac::runtime::figures
