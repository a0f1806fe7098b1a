// What a plain copy of a buffer reaches on a Vulkan device.
#pragma once

#include <cstdint>
#include <string>

namespace lac::bench {

struct DeviceCopy {
  std::string device;
  double gigabytes_per_second = 0;  ///< bytes read + bytes written
};

/// The median of several copies of `bytes`, each long enough to measure. Ends the program where there is no device.
DeviceCopy measure_copy(const std::string& choice, std::int64_t bytes);

}  // namespace lac::bench
