#include "runtime/files/gif.h"

#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>

namespace lac::runtime {
namespace {

constexpr int most_colours = 256;
constexpr int most_pixels = 65535;  // of a row, and of a column: 16 bits
constexpr char end_of_file = ';';
constexpr std::size_t header_bytes = 13;  // signature and screen; there are no colours that frames share

using Colour = std::array<std::uint8_t, 3>;

/// A picture in colours that it counts.
struct Indexed {
  std::vector<Colour> colours;
  std::vector<GifPixelType> samples;
};

Indexed in_grey(const Picture& picture) {
  Indexed indexed{{}, picture.samples};
  for (int level = 0; level < most_colours; ++level) {
    const auto grey = static_cast<std::uint8_t>(level);
    indexed.colours.push_back({grey, grey, grey});
  }
  return indexed;
}

Indexed in_palette(const Picture& picture) {
  Indexed indexed{{}, picture.samples};
  for (std::size_t k = 0; k + 2 < picture.palette.size(); k += 3)
    indexed.colours.push_back({picture.palette[k], picture.palette[k + 1], picture.palette[k + 2]});
  return indexed;
}

/// Each colour that the picture has counts once, in the order in which they come; nothing where there are too many.
std::optional<Indexed> in_own_colours(const Picture& picture) {
  Indexed indexed;
  std::map<Colour, GifPixelType> places;
  for (std::size_t at = 0; at + 2 < picture.samples.size(); at += 3) {
    const Colour colour = {picture.samples[at], picture.samples[at + 1], picture.samples[at + 2]};
    const auto [place, is_new] = places.try_emplace(colour, static_cast<GifPixelType>(indexed.colours.size()));
    if (is_new && indexed.colours.size() == most_colours) return std::nullopt;
    if (is_new) indexed.colours.push_back(colour);
    indexed.samples.push_back(place->second);
  }
  return indexed;
}

std::optional<Indexed> indexed(const Picture& picture) {
  if (!picture.palette.empty()) return in_palette(picture);
  return picture.channels == 1 ? in_grey(picture) : in_own_colours(picture);
}

struct FreeColours {
  void operator()(ColorMapObject* map) const { GifFreeMapObject(map); }
};

/// A table has a power of two of colours; those that the picture lacks are black.
std::unique_ptr<ColorMapObject, FreeColours> colour_table(const std::vector<Colour>& colours) {
  const int bits = std::max(1, GifBitSize(static_cast<int>(colours.size())));
  std::vector<GifColorType> table(std::size_t{1} << bits);
  std::ranges::transform(colours, table.begin(), [](const Colour& c) { return GifColorType{c[0], c[1], c[2]}; });
  return std::unique_ptr<ColorMapObject, FreeColours>(GifMakeMapObject(static_cast<int>(table.size()), table.data()));
}

int add_bytes(GifFileType* gif, const GifByteType* data, int count) {
  static_cast<std::string*>(gif->UserData)
      ->append(reinterpret_cast<const char*>(data), static_cast<std::size_t>(count));
  return count;
}

bool put_repeats(GifFileType* gif, Repeats repeats) {
  if (!repeats.forever && repeats.times == 0) return true;
  const int times = repeats.forever ? 0 : repeats.times;
  const std::array<GifByteType, 3> block = {1, static_cast<GifByteType>(times % 256),
                                            static_cast<GifByteType>(times / 256)};
  return EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
         EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0") == GIF_OK &&
         EGifPutExtensionBlock(gif, static_cast<int>(block.size()), block.data()) == GIF_OK &&
         EGifPutExtensionTrailer(gif) == GIF_OK;
}

bool put_frame(GifFileType* gif, const Frame& frame, Indexed picture) {
  const auto width = static_cast<int>(frame.picture.width), height = static_cast<int>(frame.picture.height);
  const GraphicsControlBlock control{DISPOSAL_UNSPECIFIED, false, frame.delay, NO_TRANSPARENT_COLOR};
  std::array<GifByteType, 4> bytes{};
  EGifGCBToExtension(&control, bytes.data());
  const auto colours = colour_table(picture.colours);
  bool written = colours && EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, bytes.size(), bytes.data()) == GIF_OK &&
                 EGifPutImageDesc(gif, 0, 0, width, height, false, colours.get()) == GIF_OK;
  for (int row = 0; written && row < height; ++row)
    written = EGifPutLine(gif, picture.samples.data() + std::int64_t{row} * width, width) == GIF_OK;
  return written;
}

Failure failure(int error) {
  const char* text = GifErrorString(error);
  return {std::string("GIF: ") + (text != nullptr ? text : "not enough memory")};
}

Result<Written> put_all(GifFileType* gif, std::span<const Frame> frames, Repeats repeats) {
  const Picture& first = frames.front().picture;
  EGifSetGifVersion(gif, true);
  bool written =
      EGifPutScreenDesc(gif, static_cast<int>(first.width), static_cast<int>(first.height), 8, 0, nullptr) == GIF_OK &&
      put_repeats(gif, repeats);
  for (std::size_t k = 0; written && k < frames.size(); ++k) {
    std::optional<Indexed> picture = indexed(frames[k].picture);
    if (!picture)
      return Failure{"a GIF has at most 256 colors: write positions in a colormap, imwrite(index, map, file)"};
    written = put_frame(gif, frames[k], *std::move(picture));
  }
  if (!written) return failure(gif->Error);
  return Written{};
}

int little_endian(const std::string& bytes, std::size_t at) {
  return static_cast<std::uint8_t>(bytes[at]) + 256 * static_cast<std::uint8_t>(bytes[at + 1]);
}

}  // namespace

Result<std::string> encode_gif(std::span<const Frame> frames, Repeats repeats) {
  const Picture& first = frames.front().picture;
  if (first.width > most_pixels || first.height > most_pixels)
    return Failure{"a GIF has at most 65535 rows and columns"};
  std::string bytes;
  int error = 0;
  GifFileType* gif = EGifOpen(&bytes, add_bytes, &error);
  if (gif == nullptr) return failure(error);
  const Result<Written> written = put_all(gif, frames, repeats);
  const bool closed = EGifCloseFile(gif, &error) == GIF_OK;
  if (!written) return written.failure();
  if (!closed) return failure(error);
  return bytes;
}

Result<Written> append_to_gif(const std::string& path, std::span<const Frame> frames) {
  const Result<std::string> added = encode_gif(frames, {false, 0});
  if (!added) return added.failure();
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem))
    return Failure{path + ": no file that pictures can be appended to"};
  const std::uintmax_t before = std::filesystem::file_size(path, problem);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  if (!file || problem) return Failure{path + ": cannot be opened for reading and writing"};
  std::string header(header_bytes, '\0');
  char last = 0;
  file.read(header.data(), header_bytes).seekg(-1, std::ios::end).get(last);
  if (!file || !header.starts_with("GIF89a") || last != end_of_file)
    return Failure{path + ": no GIF file that pictures can be appended to"};
  const Picture& picture = frames.front().picture;
  if (little_endian(header, 6) != picture.width || little_endian(header, 8) != picture.height)
    return Failure{path + ": its pictures are of another size"};
  const auto end = static_cast<std::streamoff>(before) - 1;
  file.seekp(end);
  file.write(added.value().data() + header_bytes, static_cast<std::streamsize>(added.value().size() - header_bytes));
  if (file.flush()) return Written{added.value().size()};
  file.clear();
  file.seekp(end);
  file.put(end_of_file).flush();
  file.close();
  std::filesystem::resize_file(path, before, problem);
  return Failure{path + ": cannot be written"};
}

}  // namespace lac::runtime
