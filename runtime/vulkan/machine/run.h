// Runs a plan whose kernels are shaders: the host walks the plan, the device does the work.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ir/plan/shader.h"
#include "ir/support/result.h"
#include "runtime/cpu/executor.h"
#include "runtime/run.h"
#include "runtime/tensor/tensor.h"
#include "runtime/vulkan/device/device.h"
#include "runtime/vulkan/stream/launch.h"

namespace lac::runtime::vulkan {

/// Plan and shaders outlive the runs.
struct VulkanProgram {
  const Plan* plan = nullptr;
  const ShaderProgram* shaders = nullptr;
  StageByAddress by_address = {};  ///< as Launcher takes it
  /// The variant of a launch's or step's shaders that splits long sums (KernelShaders::splits); lives as long as these.
  /// Without it, what needs one is refused.
  std::function<const KernelShaders&(OpId)> split = {};
  /// By tiers, of the same plan but that its native loops are straight: runs those. Null: the device does.
  const CpuProgram* native = nullptr;
};

class PackRecorder;

struct VulkanRunOptions {
  std::int64_t device_memory = 0;  ///< bytes that matrices may take on the device; 0: what the device has
  bool device_loops = true;        ///< false: the host reads every condition (--loops=host)
  PackRecorder* pack = nullptr;    ///< gets the commands of the run (pack/pack.h)
};

/// `parameters` are in the order of Graph::parameters, already of their element and storage. Never throws for a
/// program's own failure, nor for the device's: a lost device, no memory and a limit that is passed are statuses, and
/// the next run works (on a device opened anew where it was lost). Runs on one device go one after the other.
RunResult run_vulkan(const VulkanProgram& program, const std::vector<Tensor>& parameters, const RunOptions& options,
                     const VulkanRunOptions& vulkan, const std::shared_ptr<Device>& device);

}  // namespace lac::runtime::vulkan
