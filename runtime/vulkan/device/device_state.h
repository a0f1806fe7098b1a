// The Vulkan side of a Device: what the files of this folder work with.
#pragma once

#include <volk.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/vulkan/device/device.h"
#include "runtime/vulkan/device/loader.h"
#include "runtime/vulkan/memory/memory.h"
#include "runtime/vulkan/stream/pipeline_cache.h"

namespace lac::runtime::vulkan {

/// Of a device that is validated: an instance of its own, which ends last. The others share process_instance().
struct ValidatingInstance {
  VkInstance instance = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;

  ValidatingInstance() = default;
  ValidatingInstance(const ValidatingInstance&) = delete;
  ValidatingInstance& operator=(const ValidatingInstance&) = delete;
  ~ValidatingInstance();
};

struct LogicalDevice {
  VkDevice device = VK_NULL_HANDLE;
  VolkDeviceTable vk = {};

  LogicalDevice() = default;
  LogicalDevice(const LogicalDevice&) = delete;
  LogicalDevice& operator=(const LogicalDevice&) = delete;
  ~LogicalDevice();
};

/// SPIR-V and the layout it needs, as words; equal words make equal pipelines.
using PipelineKey = std::vector<std::uint32_t>;
struct PipelineKeyHash {
  std::size_t operator()(const PipelineKey& key) const noexcept;
};

/// Members end in the reverse of this order.
struct DeviceState {
  DeviceOptions options;
  DeviceInfo info;
  std::shared_ptr<MessageLog> messages = std::make_shared<MessageLog>();
  ValidatingInstance validation;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  LogicalDevice logical;
  std::uint32_t family = 0;  ///< of the queue
  VkQueue queue = VK_NULL_HANDLE;
  double timestamp_ns = 0;  ///< of one tick; 0: no timestamps
  std::uint64_t timestamp_mask = 0;
  bool graphics = false;  ///< the queue has render passes
  bool dynamic_rendering = false;

  MemoryAllocator memory{*this};
  std::unique_ptr<PipelineCache> cache;
  VkSampler sampler = VK_NULL_HANDLE;  ///< nearest, clamped to the edge
  std::unordered_map<PipelineKey, std::shared_ptr<Pipeline>, PipelineKeyHash> pipelines;

  bool lost = false;
  int submits = 0;  ///< for FaultPlan::lose_at_submit
  std::mutex run_mutex;

  DeviceState() = default;
  DeviceState(const DeviceState&) = delete;
  DeviceState& operator=(const DeviceState&) = delete;
  ~DeviceState();

  const VolkDeviceTable& vk() const { return logical.vk; }
  VkDevice device() const { return logical.device; }

  /// Throws the DeviceError of a result that is a failure; a lost device stays lost. `call`: "vkQueueSubmit".
  void check(VkResult result, std::string_view call);
  /// Throws DeviceError lost if the device is.
  void check_alive() const;
  [[noreturn]] void lose(std::string_view call);
};

}  // namespace lac::runtime::vulkan
