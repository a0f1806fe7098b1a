// Failures of a device. Thrown inside runtime/vulkan only: run_vulkan turns them into a RunStatus.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace lac::runtime::vulkan {

enum class DeviceErrorKind : std::uint8_t {
  lost,           ///< the device is gone: every later call fails likewise, open_device makes a new one
  out_of_memory,  ///< nothing was changed; the call may be repeated once memory was freed
  limit,          ///< more than the device can do; the message has both numbers
  unsupported,    ///< a feature that the device has not, by name
};

struct DeviceError : std::runtime_error {
  DeviceError(DeviceErrorKind kind, const std::string& message) : std::runtime_error(message), kind(kind) {}

  DeviceErrorKind kind;
};

}  // namespace lac::runtime::vulkan
