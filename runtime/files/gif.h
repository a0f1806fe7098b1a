// Pictures that move as GIF files (GIF89a; giflib).
#pragma once

#include <span>
#include <string>

#include "runtime/files/files.h"
#include "runtime/files/picture.h"

namespace lac::runtime {

/// All of an animation have one width and height, at most 65535.
struct Frame {
  Picture picture;
  int delay = 0;  ///< hundredths of a second that it stays, at most 65535
};

/// How often an animation is shown again once it has ended.
struct Repeats {
  bool forever = true;
  int times = 0;  ///< at most 65535
};

/// The bytes of the file. Fails where a picture without a palette has more than 256 colours.
Result<std::string> encode_gif(std::span<const Frame> frames, Repeats repeats);

/// Adds frames behind those of a GIF file, which is written in place; it stays a file of the earlier frames if that
/// fails. Fails where it is none, or its pictures are of another width or height.
Result<Written> append_to_gif(const std::string& path, std::span<const Frame> frames);

}  // namespace lac::runtime
