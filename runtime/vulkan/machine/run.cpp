#include "runtime/vulkan/machine/run.h"

#include <mutex>

#include "runtime/vulkan/device/error.h"
#include "runtime/vulkan/machine/machine.h"

namespace lac::runtime::vulkan {

RunResult run_vulkan(const VulkanProgram& program, const std::vector<Tensor>& parameters, const RunOptions& options,
                     const VulkanRunOptions& vulkan, const std::shared_ptr<Device>& device) {
  RunResult failed;
  try {
    const std::lock_guard lock(device->run_mutex());
    return Machine(program, parameters, options, vulkan, *device).run();
  } catch (const DeviceError& error) {  // before the first op: there was no room to begin
    const bool memory = error.kind == DeviceErrorKind::out_of_memory;
    failed.status = {memory ? RunCode::out_of_memory : RunCode::error, std::string("error: ") + error.what()};
  }
  return failed;
}

}  // namespace lac::runtime::vulkan
