// A drawing as a PNG file, by cairo.
#include <cmath>
#include <memory>
#include <numbers>

#include "runtime/figures/cairo.h"
#include "runtime/figures/drawing.h"
#include "runtime/figures/markup.h"

namespace lac::runtime::figures {
namespace {

constexpr int argb = 0, nearest = 3, round_join = 1, upright = 0, bold = 1;  // cairo's enumerations

class Painter {
 public:
  Painter(const Cairo& cairo, Context* context) : cairo_(cairo), context_(context) {}

  void operator()(const Shape& shape) {
    trace(shape.paths, shape.closed);
    finish(shape.fill, shape.opacity, shape.pen);
  }

  void operator()(const Markers& marks) {
    const Outline outline = marker_outline(marks.letter, marks.size);
    for (const Point& center : marks.centers) {
      auto paths = outline.paths;
      for (auto& path : paths)
        for (Point& p : path) p = {p.x + center.x, p.y + center.y};
      trace(paths, outline.closed);
    }
    finish(marks.fill, 1, Pen{marks.color, marks.width});
  }

  void operator()(const Label& label) {
    cairo_.select_font_face(context_, "Helvetica", upright, label.bold ? bold : upright);
    const std::vector<Run> runs = runs_of(label.text);
    double width = 0;
    for (const Run& run : runs) width += advance(run, label.size);
    cairo_.save(context_);
    cairo_.translate(context_, label.at.x, label.at.y);
    cairo_.rotate(context_, -label.rotation * std::numbers::pi / 180);
    source(label.color, 1);
    double x = label.anchor == Anchor::start ? 0 : label.anchor == Anchor::middle ? -width / 2 : -width;
    for (const Run& run : runs) {
      const double step = advance(run, label.size);
      cairo_.move_to(context_, x, -run.level * script_shift * label.size);
      cairo_.show_text(context_, run.text.c_str());
      x += step;
    }
    cairo_.restore(context_);
    cairo_.new_path(context_);
  }

  void operator()(const Pixels& pixels) {
    const Picture& picture = pixels.picture;
    Surface* image =
        cairo_.image_surface_create(argb, static_cast<int>(picture.width), static_cast<int>(picture.height));
    unsigned char* data = cairo_.image_surface_get_data(image);
    if (data != nullptr) {
      cairo_.surface_flush(image);
      const int stride = cairo_.image_surface_get_stride(image);
      for (std::int64_t i = 0; i < picture.height; ++i)
        for (std::int64_t j = 0; j < picture.width; ++j) {
          const std::size_t place = picture.samples[static_cast<std::size_t>(i * picture.width + j)];
          const std::uint8_t* rgb = &picture.palette[3 * place];
          auto* pixel = reinterpret_cast<std::uint32_t*>(data + i * stride) + j;
          *pixel =
              0xFF000000U | static_cast<std::uint32_t>(rgb[0]) << 16 | static_cast<std::uint32_t>(rgb[1]) << 8 | rgb[2];
        }
      cairo_.surface_mark_dirty(image);
      cairo_.save(context_);
      cairo_.translate(context_, pixels.box.left, pixels.box.top);
      cairo_.scale(context_, pixels.box.width / static_cast<double>(picture.width),
                   pixels.box.height / static_cast<double>(picture.height));
      cairo_.set_source_surface(context_, image, 0, 0);
      cairo_.pattern_set_filter(cairo_.get_source(context_), nearest);
      cairo_.rectangle(context_, 0, 0, static_cast<double>(picture.width), static_cast<double>(picture.height));
      cairo_.clip(context_);
      cairo_.paint(context_);
      cairo_.restore(context_);
    }
    cairo_.surface_destroy(image);
  }

 private:
  void source(Color color, double opacity) {
    cairo_.set_source_rgba(context_, color.red / 255.0, color.green / 255.0, color.blue / 255.0, opacity);
  }

  double advance(const Run& run, double size) {
    TextExtents extents{};
    cairo_.set_font_size(context_, size * (run.level == 0 ? 1 : script_size));
    cairo_.text_extents(context_, run.text.c_str(), &extents);
    return extents.x_advance;
  }

  void trace(const std::vector<std::vector<Point>>& paths, bool closed) {
    for (const auto& path : paths) {
      for (std::size_t k = 0; k < path.size(); ++k)
        (k == 0 ? cairo_.move_to : cairo_.line_to)(context_, path[k].x, path[k].y);
      if (closed) cairo_.close_path(context_);
    }
  }

  void finish(const std::optional<Color>& fill, double opacity, const std::optional<Pen>& pen) {
    if (fill) {
      source(*fill, opacity);
      cairo_.fill_preserve(context_);
    }
    if (pen) {
      constexpr double dashed[] = {6, 4}, dotted[] = {1.2, 3}, both[] = {6, 3, 1.2, 3};
      const double* lengths = pen->dash == Dash::dashed ? dashed : pen->dash == Dash::dotted ? dotted : both;
      const int count = pen->dash == Dash::solid || pen->dash == Dash::none ? 0
                        : pen->dash == Dash::dash_dotted                    ? 4
                                                                            : 2;
      cairo_.set_dash(context_, lengths, count, 0);
      cairo_.set_line_width(context_, pen->width);
      source(pen->color, 1);
      cairo_.stroke(context_);
    }
    cairo_.new_path(context_);
  }

  const Cairo& cairo_;
  Context* context_;
};

int append(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return 0;
}

}  // namespace

Result<std::string> png_bytes(const Drawing& drawing, double scale) {
  const Result<const Cairo*> opened = cairo();
  if (!opened) return Failure{opened.failure().message};
  const Cairo& c = *opened.value();
  const std::unique_ptr<Surface, void (*)(Surface*)> surface(
      c.image_surface_create(argb, static_cast<int>(std::lround(drawing.width * scale)),
                             static_cast<int>(std::lround(drawing.height * scale))),
      c.surface_destroy);
  const std::unique_ptr<Context, void (*)(Context*)> context(c.create(surface.get()), c.destroy);
  c.scale(context.get(), scale, scale);
  c.set_line_join(context.get(), round_join);
  Painter painter(c, context.get());
  for (const Layer& layer : drawing.layers) {
    c.save(context.get());
    if (layer.clip) {
      c.rectangle(context.get(), layer.clip->left, layer.clip->top, layer.clip->width, layer.clip->height);
      c.clip(context.get());
    }
    for (const Item& item : layer.items) std::visit(painter, item);
    c.restore(context.get());
  }
  std::string bytes;
  if (c.status(context.get()) != 0 || c.surface_write_to_png_stream(surface.get(), append, &bytes) != 0)
    return Failure{"PNG: the picture cannot be drawn"};
  return bytes;
}

}  // namespace lac::runtime::figures
