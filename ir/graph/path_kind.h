// What lies under a path, as the step file_kind tells.
#pragma once

#include <cstdint>

namespace lac {

/// Octave's numbers, which `exist` gives.
enum class PathKind : std::uint8_t { nothing = 0, file = 2, folder = 7 };

}  // namespace lac
