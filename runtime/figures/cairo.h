// The functions of cairo that PNG files are drawn with. Declared here and not by its header: the library is opened when
// a program writes such a file, and neither the build nor the programs that `lac build` makes need it.
#pragma once

#include "ir/support/result.h"

namespace lac::runtime::figures {

struct TextExtents {
  double x_bearing, y_bearing, width, height, x_advance, y_advance;
};

using Surface = struct CairoSurface;
using Context = struct CairoContext;
using Pattern = struct CairoPattern;
using WriteBytes = int (*)(void* closure, const unsigned char* data, unsigned int length);

// LAC_CAIRO(result, name, parameters): cairo_NAME, in C's types.
#define LAC_CAIRO_FUNCTIONS(LAC_CAIRO)                                              \
  LAC_CAIRO(Surface*, image_surface_create, (int format, int width, int height))    \
  LAC_CAIRO(unsigned char*, image_surface_get_data, (Surface*))                     \
  LAC_CAIRO(int, image_surface_get_stride, (Surface*))                              \
  LAC_CAIRO(void, surface_flush, (Surface*))                                        \
  LAC_CAIRO(void, surface_mark_dirty, (Surface*))                                   \
  LAC_CAIRO(void, surface_destroy, (Surface*))                                      \
  LAC_CAIRO(int, surface_write_to_png_stream, (Surface*, WriteBytes, void*))        \
  LAC_CAIRO(Context*, create, (Surface*))                                           \
  LAC_CAIRO(void, destroy, (Context*))                                              \
  LAC_CAIRO(int, status, (Context*))                                                \
  LAC_CAIRO(void, save, (Context*))                                                 \
  LAC_CAIRO(void, restore, (Context*))                                              \
  LAC_CAIRO(void, scale, (Context*, double, double))                                \
  LAC_CAIRO(void, translate, (Context*, double, double))                            \
  LAC_CAIRO(void, rotate, (Context*, double))                                       \
  LAC_CAIRO(void, rectangle, (Context*, double, double, double, double))            \
  LAC_CAIRO(void, clip, (Context*))                                                 \
  LAC_CAIRO(void, new_path, (Context*))                                             \
  LAC_CAIRO(void, move_to, (Context*, double, double))                              \
  LAC_CAIRO(void, line_to, (Context*, double, double))                              \
  LAC_CAIRO(void, close_path, (Context*))                                           \
  LAC_CAIRO(void, fill_preserve, (Context*))                                        \
  LAC_CAIRO(void, stroke, (Context*))                                               \
  LAC_CAIRO(void, paint, (Context*))                                                \
  LAC_CAIRO(void, set_source_rgba, (Context*, double, double, double, double))      \
  LAC_CAIRO(void, set_source_surface, (Context*, Surface*, double, double))         \
  LAC_CAIRO(Pattern*, get_source, (Context*))                                       \
  LAC_CAIRO(void, pattern_set_filter, (Pattern*, int))                              \
  LAC_CAIRO(void, set_line_width, (Context*, double))                               \
  LAC_CAIRO(void, set_line_join, (Context*, int))                                   \
  LAC_CAIRO(void, set_dash, (Context*, const double*, int, double))                 \
  LAC_CAIRO(void, select_font_face, (Context*, const char*, int slant, int weight)) \
  LAC_CAIRO(void, set_font_size, (Context*, double))                                \
  LAC_CAIRO(void, text_extents, (Context*, const char*, TextExtents*))              \
  LAC_CAIRO(void, show_text, (Context*, const char*))

struct Cairo {
#define LAC_CAIRO(result, name, parameters) result(*name) parameters = nullptr;
  LAC_CAIRO_FUNCTIONS(LAC_CAIRO)
#undef LAC_CAIRO
};

/// The library, opened by the first call. Fails where it is missing.
Result<const Cairo*> cairo();

}  // namespace lac::runtime::figures
