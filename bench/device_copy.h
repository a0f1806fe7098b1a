// What a plain copy of a buffer reaches on a Vulkan device.
#pragma once

#include <cstdint>
#include <string>

namespace lac::bench {

/// Gigabytes a second, of bytes read and bytes written.
struct DeviceCopy {
  std::string device;
  double by_transfer = 0;  ///< vkCmdCopyBuffer, which a driver may leave to an engine that is slower than its shaders
  double by_shader = 0;    ///< 16 bytes an invocation
};

/// The median of several copies of `bytes`, each long enough to measure. Ends the program where there is no device.
DeviceCopy measure_copy(const std::string& choice, std::int64_t bytes);

}  // namespace lac::bench
