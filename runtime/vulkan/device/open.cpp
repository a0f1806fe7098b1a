// From options to an open device.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <vector>

#include "ir/plan/shader.h"
#include "runtime/vulkan/device/debug.h"
#include "runtime/vulkan/device/device_state.h"
#include "runtime/vulkan/device/info.h"
#include "runtime/vulkan/device/loader.h"
#include "runtime/vulkan/stream/pipeline.h"

namespace lac::runtime::vulkan {
namespace {

constexpr std::string_view no_driver =
    "no Vulkan device was found: install a driver (Debian: mesa-vulkan-drivers has one that needs no GPU), or use "
    "--target cpu";

constexpr std::uint64_t narrow_range = 256;  ///< bytes, of DeviceMode::narrow
constexpr std::int64_t brief_turns = 512;    ///< of DeviceMode::brief

std::vector<VkPhysicalDevice> physical_devices(VkInstance instance) {
  if (instance == VK_NULL_HANDLE) return {};
  std::uint32_t count = 0;
  if (vkEnumeratePhysicalDevices(instance, &count, nullptr) != VK_SUCCESS) return {};
  std::vector<VkPhysicalDevice> devices(count);
  if (vkEnumeratePhysicalDevices(instance, &count, devices.data()) < 0) return {};
  devices.resize(count);
  return devices;
}

std::vector<DeviceInfo> describe_all(const std::vector<VkPhysicalDevice>& devices) {
  std::vector<DeviceInfo> all;
  for (std::uint32_t index = 0; index < devices.size(); ++index) all.push_back(describe(devices[index], index));
  return all;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string wanted(const DeviceOptions& options) {
  if (!options.choice.empty()) return options.choice;
  const char* variable = std::getenv("LAC_VULKAN_DEVICE");
  return variable == nullptr ? "" : variable;
}

bool matches(const DeviceInfo& info, const std::string& choice) {
  if (choice.empty()) return info.usable;
  const bool number = std::all_of(choice.begin(), choice.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  if (number) return std::to_string(info.index) == choice;
  return lower(info.name).find(lower(choice)) != std::string::npos;
}

Failure no_such_device(const std::vector<DeviceInfo>& all, const std::string& choice) {
  if (all.empty()) return {std::string(no_driver)};
  std::string text = choice.empty() ? "no Vulkan device can be used" : "no Vulkan device matches '" + choice + "'";
  text += "; on this machine:";
  for (const DeviceInfo& info : all) {
    text += (info.index == 0 ? " device " : ", device ") + std::to_string(info.index) + " (" + info.name + ")";
    if (!info.usable) text += " (lacks " + info.missing + ")";
  }
  return {text};
}

Result<DeviceInfo> choose(const std::vector<DeviceInfo>& all, const std::string& choice) {
  const DeviceInfo* best = nullptr;
  for (const DeviceInfo& info : all) {
    if (matches(info, choice) && (best == nullptr || info.type < best->type)) best = &info;
  }
  if (best == nullptr) return no_such_device(all, choice);
  if (!best->usable) return Failure{"the Vulkan device " + best->name + " lacks " + best->missing};
  return *best;
}

/// What the device has of what is used; the chain lives as long as this.
struct EnabledFeatures {
  VkPhysicalDeviceFeatures2 core =
      vulkan_struct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  VkPhysicalDeviceVulkan12Features v12 =
      vulkan_struct<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  VkPhysicalDeviceVulkan13Features v13 =
      vulkan_struct<VkPhysicalDeviceVulkan13Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);

  EnabledFeatures(VkPhysicalDevice device, bool has_13) {
    auto present = vulkan_struct<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    auto present_12 =
        vulkan_struct<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    auto present_13 =
        vulkan_struct<VkPhysicalDeviceVulkan13Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
    present.pNext = &present_12;
    if (has_13) present_12.pNext = &present_13;
    vkGetPhysicalDeviceFeatures2(device, &present);
    core.features.shaderFloat64 = present.features.shaderFloat64;
    core.features.independentBlend = present.features.independentBlend;
    v12.timelineSemaphore = VK_TRUE;
    v12.bufferDeviceAddress = present_12.bufferDeviceAddress;
    v13.dynamicRendering = present_13.dynamicRendering;
    core.pNext = &v12;
    if (has_13) v12.pNext = &v13;
  }
  EnabledFeatures(const EnabledFeatures&) = delete;
  EnabledFeatures& operator=(const EnabledFeatures&) = delete;
};

void make_logical(DeviceState& state) {
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(state.physical, &properties);
  const EnabledFeatures features(state.physical, properties.apiVersion >= VK_API_VERSION_1_3);
  state.dynamic_rendering = features.v13.dynamicRendering == VK_TRUE;
  state.family = *queue_family(state.physical);
  constexpr float priority = 1;
  auto queue = vulkan_struct<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queue.queueFamilyIndex = state.family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  auto create = vulkan_struct<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
  create.pNext = &features.core;
  create.queueCreateInfoCount = 1;
  create.pQueueCreateInfos = &queue;
  state.check(vkCreateDevice(state.physical, &create, nullptr, &state.logical.device), "vkCreateDevice");
  volkLoadDeviceTable(&state.logical.vk, state.device());
  state.vk().vkGetDeviceQueue(state.device(), state.family, 0, &state.queue);
}

void learn_queue(DeviceState& state) {
  std::uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(state.physical, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(state.physical, &count, families.data());
  state.graphics = (families[state.family].queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0;
  const std::uint32_t bits = families[state.family].timestampValidBits;
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(state.physical, &properties);
  state.timestamp_ns = bits == 0 ? 0 : properties.limits.timestampPeriod;
  state.timestamp_mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

void make_sampler(DeviceState& state) {
  auto create = vulkan_struct<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
  create.addressModeU = create.addressModeV = create.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  state.check(state.vk().vkCreateSampler(state.device(), &create, nullptr, &state.sampler), "vkCreateSampler");
}

}  // namespace

Result<std::vector<DeviceInfo>> list_devices() {
  const Result<VkInstance> instance = process_instance();
  if (!instance) return instance.failure();
  return describe_all(physical_devices(instance.value()));
}

Result<std::shared_ptr<Device>> open_device(const DeviceOptions& options) {
  auto state = std::make_unique<DeviceState>();
  state->options = options;
  const DebugMessages debug(state->messages);
  const Result<VkInstance> instance =
      options.validation ? make_validating_instance(debug.instance_chain()) : process_instance();
  if (!instance) return instance.failure();
  if (options.validation && instance.value() != VK_NULL_HANDLE) {
    state->validation.instance = instance.value();
    state->validation.messenger = debug.attach(instance.value());
  }
  const std::vector<VkPhysicalDevice> devices = physical_devices(instance.value());
  const Result<DeviceInfo> chosen = choose(describe_all(devices), wanted(options));
  if (!chosen) return chosen.failure();
  state->info = chosen.value();
  if (options.mode == DeviceMode::narrow) state->info.limits.storage_buffer_range = narrow_range;
  if (options.mode == DeviceMode::brief) state->info.limits.turns = brief_turns;
  const bool is_cpu = state->info.type == DeviceType::cpu && options.mode != DeviceMode::wide;
  state->info.limits.filling_groups = is_cpu ? 0 : groups_of_large_device;
  state->physical = devices[state->info.index];
  try {
    make_logical(*state);
    learn_queue(*state);
    make_sampler(*state);
    state->cache = std::make_unique<PipelineCache>(*state);
  } catch (const DeviceError& error) {
    return Failure{"the Vulkan device " + state->info.name + " does not open: " + error.what()};
  }
  return std::make_shared<Device>(std::move(state));
}

}  // namespace lac::runtime::vulkan
