// How a draw covers its targets.
#pragma once

#include <cstdint>

namespace lac::runtime::vulkan {

struct Raster {
  bool points = false;           ///< one for each vertex, of one texel; else triangles
  std::uint32_t channels = 0xf;  ///< that are written, a bit each
};

}  // namespace lac::runtime::vulkan
