// The vulkan targets: passes, shaders, a device. A build without Vulkan has no_vulkan.cpp instead, which refuses.
#pragma once

#include <memory>

#include "driver/core/backend.h"

namespace lac::driver {

std::unique_ptr<Backend> make_vulkan_backend();
std::unique_ptr<Backend> make_fragment_backend();

api::Devices vulkan_devices();

}  // namespace lac::driver
