#include "runtime/files/picture.h"

#include <png.h>

#include <csetjmp>

namespace lac::runtime {
namespace {

constexpr int bits = 8;

struct Writer {
  std::string bytes;
  std::string problem;
};

void append(png_structp png, png_bytep data, std::size_t count) {
  static_cast<Writer*>(png_get_io_ptr(png))->bytes.append(reinterpret_cast<const char*>(data), count);
}

void flush(png_structp) {}

[[noreturn]] void fail(png_structp png, png_const_charp message) {
  static_cast<Writer*>(png_get_error_ptr(png))->problem = message;
  std::longjmp(png_jmpbuf(png), 1);
}

void ignore(png_structp, png_const_charp) {}

// libpng leaves by longjmp: nothing here owns memory but what the caller holds.
bool write(png_structp png, png_infop info, const Picture& picture, const std::vector<png_color>& colours) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  const int kind = !colours.empty()        ? PNG_COLOR_TYPE_PALETTE
                   : picture.channels == 3 ? PNG_COLOR_TYPE_RGB
                                           : PNG_COLOR_TYPE_GRAY;
  png_set_IHDR(png, info, static_cast<png_uint_32>(picture.width), static_cast<png_uint_32>(picture.height), bits, kind,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (!colours.empty()) png_set_PLTE(png, info, colours.data(), static_cast<int>(colours.size()));
  png_write_info(png, info);
  for (std::int64_t row = 0; row < picture.height; ++row)
    png_write_row(png, picture.samples.data() + row * picture.width * picture.channels);
  png_write_end(png, info);
  return true;
}

}  // namespace

Result<std::string> encode_png(const Picture& picture) {
  Writer writer;
  std::vector<png_color> colours;
  for (std::size_t k = 0; k + 2 < picture.palette.size(); k += 3)
    colours.push_back({picture.palette[k], picture.palette[k + 1], picture.palette[k + 2]});
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &writer, fail, ignore);
  if (png == nullptr) return Failure{"PNG: the library does not fit its header"};
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, &writer, append, flush);
  const bool written = info != nullptr && write(png, info, picture, colours);
  png_destroy_write_struct(&png, &info);
  if (!written) return Failure{"PNG: " + writer.problem};
  return writer.bytes;
}

}  // namespace lac::runtime
