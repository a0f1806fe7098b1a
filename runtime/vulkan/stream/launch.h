// From a launch to the dispatches of its stages: what each binding shows, the bytes of its parameters, its workgroups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "ir/kernel/kernel.h"
#include "ir/plan/shader.h"
#include "runtime/tensor/tensor.h"
#include "runtime/vulkan/device/device.h"
#include "runtime/vulkan/stream/matrix_resources.h"
#include "runtime/vulkan/stream/stream.h"

namespace lac::runtime::vulkan {

using SizeOf = std::function<std::int64_t(const Size&)>;

/// The compiled variant of a stage whose buffers are reached by address (ir/plan/shader.h); lives as long as the stage.
using StageByAddress = std::function<const ShaderStage&(const ShaderStage&)>;

/// A matrix has resources; a scalar has a value that the host knows, or a slot of the arena.
struct LaunchInput {
  MatrixResources resources = {};
  double scalar = 0;
  std::int32_t slot = -1;
  std::int64_t longest_row = 0;  ///< entries; of csr
};

struct LaunchOutput {
  BoundResource values = {};
  std::int32_t slot = -1;  ///< of a scalar
};

/// What a launch takes besides its operands.
struct LaunchNumbers {
  const SizeOf& size_of;
  BufferRange arena = {};
  std::uint64_t seed = 0;
  std::uint64_t counter = 0;  ///< draws made before
};

/// One stage ready to record, with group counts of its own or from an indirect buffer.
struct BoundStage {
  const ShaderStage* stage = nullptr;
  std::shared_ptr<Pipeline> pipeline;
  std::vector<BoundResource> resources;
  std::vector<std::byte> parameters;
  GroupCounts groups;

  bool empty() const { return groups.x == 0 || groups.y == 0 || groups.z == 0; }
  Dispatch dispatch(std::uint32_t label = 0) const { return {pipeline, resources, parameters, label}; }
};

/// Pipelines and scratch memory of the launches on one device. Scratch is used again by the next launch: the order of
/// the stream keeps them apart.
class Launcher {
 public:
  /// Without `by_address` a matrix larger than a binding may span is refused.
  explicit Launcher(Device& device, StageByAddress by_address = {})
      : device_(device), by_address_(std::move(by_address)) {}

  /// Throws DeviceError, also where an invocation would make more turns than the device's limit.
  std::vector<BoundStage> bind(const KernelShaders& shaders, const std::vector<LaunchInput>& inputs,
                               const std::vector<LaunchOutput>& outputs, const LaunchNumbers& numbers);
  /// Records all stages that have workgroups.
  static void record(Stream& stream, const std::vector<BoundStage>& stages, std::uint32_t label = 0);

  /// Of a stage that lives as long as the Launcher, or of its variant that these resources need.
  const std::shared_ptr<Pipeline>& pipeline(const ShaderStage& stage, const std::vector<BoundResource>& resources);
  /// Whose pipeline it is; null: nobody asked for it here.
  const ShaderStage* stage_of(const Pipeline& pipeline) const;

 private:
  std::vector<BufferRange> scratch(const KernelShaders& shaders, const SizeOf& size_of,
                                   const std::vector<GroupCounts>& groups);

  Device& device_;
  StageByAddress by_address_;
  std::unordered_map<const ShaderStage*, std::shared_ptr<Pipeline>> pipelines_;
  std::vector<std::shared_ptr<Buffer>> scratch_;  ///< by the scratch's index
};

/// The workgroups of a stage as its GroupCounts have them, before any limit.
std::array<std::int64_t, 3> group_counts(const ShaderStage& stage, const SizeOf& size_of);

/// The workgroups of all stages of a launch on this device, and the turns that the longest invocation makes.
struct LaunchShape {
  std::vector<GroupCounts> groups;
  double turns = 0;
};
LaunchShape launch_shape(const KernelShaders& shaders, const SizeOf& size_of,
                         const std::function<std::int64_t(std::uint32_t)>& longest_row, const DeviceLimits& limits);
/// The memory of such a launch alone.
std::uint64_t scratch_bytes(const KernelShaders& shaders, const LaunchShape& shape, const SizeOf& size_of);

/// One launch alone, waited for: uploads the inputs, runs, downloads the outputs in the kernel's order. For tests.
std::vector<Tensor> run_kernel(Device& device, const Kernel& kernel, const KernelShaders& shaders,
                               const std::vector<Tensor>& inputs, const SizeOf& size_of,
                               StageByAddress by_address = {});

}  // namespace lac::runtime::vulkan
