// Pictures as PNG files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/support/result.h"

namespace lac::runtime {

/// Eight bits a sample, rows from the top. Without a palette the samples are grey values, or the red, green and blue of
/// each pixel side by side; with one they are positions in it from 0, each below the number of its colours (at most
/// 256).
struct Picture {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::vector<std::uint8_t> samples;  ///< width * height * channels, row after row
  std::vector<std::uint8_t> palette;  ///< red, green, blue of each colour; empty: grey, or colours as they are
  std::int64_t channels = 1;          ///< samples of a pixel: 1, or 3 where there is no palette
};

/// The bytes of the file. Fails with libpng's message.
Result<std::string> encode_png(const Picture& picture);

}  // namespace lac::runtime
