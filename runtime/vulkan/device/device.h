// One Vulkan device: what it is, what it can do, and what is made on it. This header needs no Vulkan headers; the
// Vulkan side is DeviceState (device_state.h), which only the files of this folder see.
//
// A Device and what is made on it are used by one thread at a time (run_mutex). Buffers, images, pipelines and streams
// end before their Device, and the Device before `main` returns.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/plan/shader.h"
#include "ir/support/result.h"
#include "runtime/vulkan/device/error.h"
#include "runtime/vulkan/device/raster.h"
#include "runtime/vulkan/memory/buffer.h"
#include "runtime/vulkan/memory/image.h"

namespace lac::runtime::vulkan {

struct DeviceState;
class Pipeline;

enum class DeviceType : std::uint8_t { discrete_gpu, integrated_gpu, virtual_gpu, cpu, other };
std::string_view name(DeviceType type);

struct DeviceLimits {
  std::uint64_t storage_buffer_range = 0;   ///< bytes that one binding of a shader may span
  std::uint64_t storage_buffer_offset = 0;  ///< offsets of bindings are multiples of this
  std::uint64_t buffer_bytes = 0;           ///< of one buffer
  std::uint64_t memory_bytes = 0;           ///< of the device's largest heap
  std::uint32_t push_constant_bytes = 0;
  std::array<std::uint32_t, 3> group_count = {};
  std::array<std::uint32_t, 3> group_size = {};
  std::uint32_t group_invocations = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t storage_buffers = 0;  ///< per stage
  std::uint32_t image_extent = 0;     ///< of a 2-D image, either way
  std::uint32_t color_attachments = 0;
  std::uint32_t subgroup_size = 0;
  std::int64_t turns = most_turns;  ///< of the loops of an invocation (ir/plan/turns.h)
  std::int64_t filling_groups = 0;  ///< so many workgroups keep the device busy: with fewer, long sums are shared out
};

struct DeviceInfo {
  std::uint32_t index = 0;  ///< what DeviceOptions::choice takes
  std::string name;
  DeviceType type = DeviceType::other;
  std::string driver;       ///< name and version
  std::string api_version;  ///< "1.3.230"
  DeviceLimits limits;
  bool float64 = false;
  bool preserves_nan32 = false, preserves_nan64 = false;  ///< and Inf and -0, in arithmetic of that width
  bool unified_memory = false;                            ///< all device memory is the host's too
  bool buffer_addresses = false;                          ///< shaders reach buffers by address (bufferDeviceAddress)
  bool usable = false;                                    ///< has what `lac` needs
  std::string missing;                                    ///< else: what it lacks
};

/// How the device layer behaves; all but plain are for tests, results are the same in all.
enum class DeviceMode : std::uint8_t {
  plain,
  staging,        ///< device memory is never mapped, so that every transfer is staged
  one_queue,      ///< as plain: transfers and dispatches share one queue in every mode
  reverse_alloc,  ///< memory is handed out from the end of blocks, newest block first
  evict_all,      ///< as plain; the executor evicts what it can after each use
  narrow,         ///< a binding spans at most 256 bytes, as if all matrices were very large
  brief,          ///< an invocation makes few turns, as if all sums were very long
  wide,           ///< kernels and launches are those of a large GPU
};
std::string_view name(DeviceMode mode);
std::optional<DeviceMode> device_mode(std::string_view name);

/// Failures put in on purpose, counted from 0 from the opening of the device; -1: none.
struct FaultPlan {
  int fail_allocation = -1;  ///< this buffer or image fails with out_of_memory, once
  int lose_at_submit = -1;   ///< this submission fails, and the device is lost
};

struct DeviceOptions {
  std::string choice = {};  ///< an index of list_devices or part of a name; empty: the environment's LAC_VULKAN_DEVICE,
                            ///< and if that is empty the best type: discrete, integrated, virtual, cpu
  bool validation = false;  ///< core and synchronisation validation, where the layer is installed (a Failure if not)
  DeviceMode mode = DeviceMode::plain;
  FaultPlan faults = {};
  /// Of compiled pipelines; empty: none. A missing, foreign or broken one is no failure.
  std::string cache_folder = {};
  std::string cache_key = {};  ///< what the cache depends on besides the device: the compiler's version
};

/// What the validation layer said. Shared, so that what it says while the device ends can be read too.
struct MessageLog {
  mutable std::mutex mutex;
  std::uint64_t count = 0;         ///< warnings and errors
  std::vector<std::string> texts;  ///< the first 100
};

struct DeviceMemory {
  std::uint64_t blocks = 0;       ///< VkDeviceMemory objects now
  std::uint64_t block_bytes = 0;  ///< their size
  std::uint64_t used_bytes = 0;   ///< of them handed out
  std::uint64_t peak_bytes = 0;   ///< the largest used_bytes so far
  std::uint64_t allocations = 0;  ///< buffers and images made so far
};

class Device {
 public:
  explicit Device(std::unique_ptr<DeviceState> state);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const DeviceInfo& info() const;
  const DeviceLimits& limits() const { return info().limits; }
  const DeviceOptions& options() const;

  /// Once true, always true: open another one.
  bool lost() const;
  std::shared_ptr<const MessageLog> messages() const;
  DeviceMemory memory() const;

  /// `bytes` may be 0 (an empty matrix): the buffer still has some. Throws DeviceError out_of_memory or limit.
  std::shared_ptr<Buffer> make_buffer(std::uint64_t bytes, BufferUse use = BufferUse::device);
  /// Throws DeviceError out_of_memory or limit. Contents are undefined.
  std::shared_ptr<Image> make_image(std::uint32_t width, std::uint32_t height);
  /// The pipeline of a stage (compiled at its first use, then kept by content). Throws DeviceError limit or
  /// unsupported.
  std::shared_ptr<Pipeline> pipeline(const ShaderStage& stage);
  /// The same of a fragment shader that draws to `targets` images, with the vertex shader that always goes with it.
  /// Bindings are those of the vertex shader, then its own.
  std::shared_ptr<Pipeline> render_pipeline(const ShaderStage& vertex, const ShaderStage& fragment,
                                            std::uint32_t targets, Raster raster = {});

  /// Writes the pipeline cache file, if there is a folder and something new; also done at the end.
  void save_cache();

  /// Held by whoever runs on this device.
  std::mutex& run_mutex();
  DeviceState& state() { return *state_; }

 private:
  std::unique_ptr<DeviceState> state_;
};

/// Every device of the machine; a Failure without libvulkan. None is an empty list.
Result<std::vector<DeviceInfo>> list_devices();
/// A Failure says why there is none and what to do about it.
Result<std::shared_ptr<Device>> open_device(const DeviceOptions& options);

}  // namespace lac::runtime::vulkan
