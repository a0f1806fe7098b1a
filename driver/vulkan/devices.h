// The devices that programs of this process run on.
//
// The environment, for tests (results hang on it in their rounding alone):
//   LAC_VULKAN_MODE=staging|one-queue|reverse-alloc|evict-all|narrow|brief|wide    see runtime::vulkan::DeviceMode
//   LAC_VULKAN_VALIDATION=1                    core and synchronisation validation
//   LAC_VULKAN_MESSAGES=FILE                   what validation said is appended when a device is closed
//   LAC_VULKAN_FAULTS=allocation=K,submit=K    faults put in, at the first device that the process opens
//   LAC_CACHE_DIR=FOLDER                       instead of $XDG_CACHE_HOME/lac or ~/.cache/lac
//   (driver/core/disk_cache.h)
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "driver/include/lac/lac.hpp"
#include "ir/support/result.h"
#include "runtime/run.h"
#include "runtime/vulkan/device/device.h"

namespace lac::driver {

/// Hands out the device that these options choose: opened at the first call, again after it was lost. Programs with
/// equal options share one; it is closed with the last program. Thread-safe.
class DeviceHolder {
 public:
  explicit DeviceHolder(const api::Options& options) : choice_(options.device), cache_(options.cache) {}

  /// A Failure says why there is none and what to do about it.
  Result<std::shared_ptr<runtime::vulkan::Device>> get();

 private:
  std::string choice_;
  bool cache_;
  std::mutex mutex_;
  std::shared_ptr<runtime::vulkan::Device> device_;
};

using Run = std::function<runtime::RunResult(const std::vector<runtime::Tensor>&, const runtime::RunOptions&)>;
using RunOnDevice = std::function<runtime::RunResult(const std::vector<runtime::Tensor>&, const runtime::RunOptions&,
                                                     const std::shared_ptr<runtime::vulkan::Device>&)>;

/// `run` on the holder's device. Where there is none, the result's status says why.
Run on_device(std::shared_ptr<DeviceHolder> holder, RunOnDevice run);

}  // namespace lac::driver
