#include "driver/vulkan/devices.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "codegen/glsl/spirv/spirv.h"
#include "driver/core/disk_cache.h"
#include "driver/vulkan/vulkan_backend.h"

namespace lac::driver {

namespace {

using runtime::vulkan::Device;
using runtime::vulkan::DeviceInfo;
using runtime::vulkan::DeviceOptions;
using runtime::vulkan::FaultPlan;
using runtime::vulkan::MessageLog;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// "allocation=3,submit=2"; what is not understood is an error of whoever tests.
Result<FaultPlan> parse_faults(const std::string& text) {
  FaultPlan plan;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string word = text.substr(start, end - start);
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    int* place = name == "allocation" ? &plan.fail_allocation : name == "submit" ? &plan.lose_at_submit : nullptr;
    if (!place || equals == std::string::npos) return Failure{"LAC_VULKAN_FAULTS: '" + word + "' is no fault"};
    *place = std::atoi(word.c_str() + equals + 1);
    start = end + 1;
  }
  return plan;
}

/// Faults are for the first device alone, so that a retry can be tested.
Result<FaultPlan> faults_of_this_device() {
  static bool used = false;
  if (std::exchange(used, true)) return FaultPlan{};
  return parse_faults(environment("LAC_VULKAN_FAULTS"));
}

Result<DeviceOptions> device_options(const std::string& choice, bool cache) {
  DeviceOptions options;
  options.choice = choice;
  const std::string validation = environment("LAC_VULKAN_VALIDATION");
  options.validation = !validation.empty() && validation != "0";
  if (const std::string word = environment("LAC_VULKAN_MODE"); !word.empty()) {
    const auto mode = runtime::vulkan::device_mode(word);
    if (!mode) return Failure{"LAC_VULKAN_MODE: '" + word + "' is no mode"};
    options.mode = *mode;
  }
  auto faults = faults_of_this_device();
  if (!faults) return faults.failure();
  options.faults = faults.value();
  if (cache) options.cache_folder = code_folder().string();
  options.cache_key = codegen::glsl::compiler_version();
  return options;
}

void append_messages(const std::string& path, const MessageLog& log) {
  const std::lock_guard lock(log.mutex);
  std::ofstream file(path, std::ios::app);
  for (const std::string& text : log.texts) file << text << "\n";
  file << "messages: " << log.count << "\n";
}

/// Closes the device and writes what validation said until the end.
void close(std::shared_ptr<Device>& device) {
  const std::shared_ptr<const MessageLog> log = device->messages();
  const std::string path = device->options().validation ? environment("LAC_VULKAN_MESSAGES") : "";
  device.reset();
  if (log && !path.empty()) append_messages(path, *log);
}

Result<std::shared_ptr<Device>> open(const std::string& choice, bool cache) {
  auto options = device_options(choice, cache);
  if (!options) return options.failure();
  auto opened = runtime::vulkan::open_device(options.value());
  if (!opened) return opened.failure();
  std::shared_ptr<Device> device = opened.take();
  Device* const plain = device.get();
  return std::shared_ptr<Device>(plain, [device](Device*) mutable { close(device); });
}

/// The open device of each choice. Weak: a device must end before `main` returns, so programs own it.
struct OpenDevices {
  std::mutex mutex;
  std::map<std::pair<std::string, bool>, std::weak_ptr<Device>> by_choice;

  Result<std::shared_ptr<Device>> get(const std::string& choice, bool cache) {
    const std::lock_guard lock(mutex);
    std::weak_ptr<Device>& place = by_choice[{choice, cache}];
    if (std::shared_ptr<Device> known = place.lock(); known && !known->lost()) return known;
    auto opened = open(choice, cache);
    if (opened) place = opened.value();
    return opened;
  }
};

OpenDevices& open_devices() {
  static OpenDevices devices;
  return devices;
}

std::string_view type_name(runtime::vulkan::DeviceType type) { return runtime::vulkan::name(type); }

api::Device to_api(const DeviceInfo& info) {
  return {info.index,   info.name,        std::string(type_name(info.type)),
          info.driver,  info.api_version, static_cast<std::int64_t>(info.limits.memory_bytes),
          info.float64, info.usable,      info.missing};
}

}  // namespace

Result<std::shared_ptr<Device>> DeviceHolder::get() {
  const std::lock_guard lock(mutex_);
  if (device_ && !device_->lost()) return device_;
  device_.reset();
  auto opened = open_devices().get(choice_, cache_);
  if (opened) device_ = opened.value();
  return opened;
}

api::Devices vulkan_devices() {
  const auto found = runtime::vulkan::list_devices();
  if (!found) return {{}, found.failure().message};
  api::Devices result;
  for (const DeviceInfo& info : found.value()) result.list.push_back(to_api(info));
  if (result.list.empty()) {
    result.problem = "no Vulkan device: install your GPU's Vulkan driver, or mesa-vulkan-drivers for one on the cpu";
  }
  return result;
}

Run on_device(std::shared_ptr<DeviceHolder> holder, RunOnDevice run) {
  return [holder = std::move(holder), run = std::move(run)](const std::vector<runtime::Tensor>& parameters,
                                                            const runtime::RunOptions& options) {
    const auto device = holder->get();
    if (device) return run(parameters, options, device.value());
    runtime::RunResult failed;
    failed.status = {runtime::RunCode::error, "error: " + device.failure().message};
    return failed;
  };
}

}  // namespace lac::driver
