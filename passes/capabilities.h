// What a target's kernels can do: fusion asks first, and no pass names a target.
#pragma once

#include <cstdint>

namespace lac {

/// Loops that run on a device without the host.
enum class DeviceLoops : std::uint8_t {
  none,
  of_kernels,  ///< of launches, of arithmetic that the host knows, and of checks of what was known before
  all,         ///< also of branches, checks and texts, and of the steps that have shaders
};

struct Capabilities {
  std::int32_t max_inputs = 32;      ///< distinct inputs of one kernel
  std::int32_t max_outputs = 16;     ///< outputs of one kernel, reduced ones included
  std::int32_t max_reductions = 8;   ///< reductions of one kernel
  std::int32_t max_scalar_ops = 16;  ///< scalar arithmetic copied into a kernel for one scalar; beyond it, an input
  std::int32_t max_concat = 8;       ///< operands of one fused concatenation
  /// What kernels compute stays where they run: scalar arithmetic on reduced values is a kernel of one point, and the
  /// host reads a scalar only where it must (conditions, text, sizes).
  bool device_scalars = false;
  /// Nobody looks at matrices that are parameters, or counts the trips of a loop that a device ends: what that counts
  /// itself is a kernel of one point, too, where somebody needs it (counted_on_device, passes/structure/loop_slots.h).
  bool device_counters = false;
  bool matrix_products = false;  ///< a product of two matrices is a kernel (else a library step)
  /// A buffer may be extended where it is, or moved to a larger one: `resize` in a plan, or a launch that consumes what
  /// it extends where `growth_launches` (ir/kernel/growth.h).
  bool growth_in_place = false;
  bool growth_launches = false;
  bool several_nests = false;  ///< of a kernel (Kernel::ahead)
  bool several_sums = false;   ///< of a contraction: products with one matrix
  bool fusion = true;          ///< kernels of several operations; without, each that computes has one of its own
  DeviceLoops device_loops = DeviceLoops::none;
  bool device_steps = false;    ///< steps of ir/plan/device_steps.h have shaders
  bool straight_loops = false;  ///< loops of single points and scalar arithmetic are code of the program itself
  bool native_loops = false;    ///< such loops may be run by compiled code of a host beside the device
  bool workgroups = false;      ///< kernels are run by workgroups of invocations (GroupSchedule)
  bool texels = false;          ///< dense single matrices lie as packed texels where all their kernels allow it
};

}  // namespace lac
