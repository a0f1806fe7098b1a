// Programs run with loops on a Vulkan device and with loops that the host drives.
#pragma once

#include <cstdint>
#include <string>

#include "driver/include/lac/lac.hpp"

namespace lac::test {

/// With double precision; else says that the test is skipped.
bool has_device();

struct Run {
  api::Result result;
  std::string text;  ///< printed, and diagnostics
  double seconds = 0;

  /// Looks at the device that a slow machine may need on top: a chunk of trips ends after about a second, and the one
  /// after the first is cut by the time that preparing the kernels took (runtime/vulkan/loop/region_size.h).
  std::int64_t looks_by_time() const;
};

Run run_with(const std::string& text, bool device_loops, api::Precision precision, std::int64_t device_memory = 0);

/// Of all loops.
std::int64_t trips(const api::Result& result);
std::int64_t launches(const api::Result& result);

/// The same texts, outcomes and bits.
void compare(const Run& device, const Run& host);

/// Runs both ways in both precisions; the run on the device in double precision, which must have polled.
Run check_run(const std::string& text);
api::Result check(const std::string& text);

}  // namespace lac::test
