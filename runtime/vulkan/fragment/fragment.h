// Runs a plan whose kernels are render passes: the target vulkan-fragment.
#pragma once

#include <memory>
#include <vector>

#include "ir/plan/fragment.h"
#include "runtime/run.h"
#include "runtime/vulkan/device/device.h"

namespace lac::runtime::vulkan {

/// Plan and passes outlive the runs.
struct FragmentPlan {
  const Plan* plan = nullptr;
  const FragmentProgram* passes = nullptr;
};

struct FragmentRunOptions {
  bool device_loops = true;  ///< false: the host reads every condition
};

/// As run_vulkan, with the same promises.
RunResult run_fragment(const FragmentPlan& program, const std::vector<Tensor>& parameters, const RunOptions& options,
                       const FragmentRunOptions& fragment, const std::shared_ptr<Device>& device);

}  // namespace lac::runtime::vulkan
