#include "runtime/vulkan/device/device.h"

#include <array>
#include <string>
#include <utility>

#include "runtime/vulkan/device/device_state.h"
#include "runtime/vulkan/device/loader.h"
#include "runtime/vulkan/stream/pipeline.h"

namespace lac::runtime::vulkan {
namespace {

constexpr std::array<std::string_view, 5> type_names = {"discrete", "integrated", "virtual", "cpu", "other"};
constexpr std::array<std::string_view, 8> mode_names = {"plain",     "staging", "one-queue", "reverse-alloc",
                                                        "evict-all", "narrow",  "brief",     "wide"};

}  // namespace

std::string_view name(DeviceType type) { return type_names[static_cast<std::size_t>(type)]; }
std::string_view name(DeviceMode mode) { return mode_names[static_cast<std::size_t>(mode)]; }

std::optional<DeviceMode> device_mode(std::string_view name) {
  for (std::size_t mode = 0; mode < mode_names.size(); ++mode) {
    if (mode_names[mode] == name) return static_cast<DeviceMode>(mode);
  }
  return std::nullopt;
}

ValidatingInstance::~ValidatingInstance() {
  if (instance == VK_NULL_HANDLE) return;
  if (messenger != VK_NULL_HANDLE) {
    const auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(instance, "vkDestroyDebugUtilsMessengerEXT"));
    destroy(instance, messenger, nullptr);
  }
  vkDestroyInstance(instance, nullptr);
}

LogicalDevice::~LogicalDevice() {
  if (device != VK_NULL_HANDLE) vk.vkDestroyDevice(device, nullptr);
}

DeviceState::~DeviceState() {
  if (device() == VK_NULL_HANDLE) return;
  vk().vkDeviceWaitIdle(device());
  pipelines.clear();
  if (sampler != VK_NULL_HANDLE) vk().vkDestroySampler(device(), sampler, nullptr);
}

void DeviceState::check(VkResult result, std::string_view call) {
  if (result >= 0) return;
  const std::string text = std::string(call) + ": " + result_name(result);
  switch (result) {
    case VK_ERROR_DEVICE_LOST: lose(call);
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_FRAGMENTED_POOL: throw DeviceError(DeviceErrorKind::out_of_memory, text);
    case VK_ERROR_TOO_MANY_OBJECTS: throw DeviceError(DeviceErrorKind::limit, text);
    default: throw DeviceError(DeviceErrorKind::unsupported, text);
  }
}

void DeviceState::check_alive() const {
  if (lost) throw DeviceError(DeviceErrorKind::lost, "the Vulkan device " + info.name + " was lost");
}

void DeviceState::lose(std::string_view call) {
  lost = true;
  throw DeviceError(DeviceErrorKind::lost, "the Vulkan device " + info.name + " was lost (" + std::string(call) + ")");
}

Device::Device(std::unique_ptr<DeviceState> state) : state_(std::move(state)) {}
Device::~Device() { save_cache(); }

const DeviceInfo& Device::info() const { return state_->info; }
const DeviceOptions& Device::options() const { return state_->options; }
bool Device::lost() const { return state_->lost; }
std::shared_ptr<const MessageLog> Device::messages() const { return state_->messages; }
DeviceMemory Device::memory() const { return state_->memory.statistics(); }
std::mutex& Device::run_mutex() { return state_->run_mutex; }

std::shared_ptr<Buffer> Device::make_buffer(std::uint64_t bytes, BufferUse use) {
  return std::make_shared<Buffer>(*state_, bytes, use);
}

std::shared_ptr<Image> Device::make_image(std::uint32_t width, std::uint32_t height) {
  return std::make_shared<Image>(*state_, width, height);
}

void Device::save_cache() {
  if (!state_->lost) state_->cache->save();
}

}  // namespace lac::runtime::vulkan
