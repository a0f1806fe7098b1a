// The pieces that a Plan is compiled in: each distinct kernel, and lac_program, which launches them. A piece's text
// says all that its code depends on besides the machine: pieces of one text have one code, whatever program they stand
// in. A kernel that is launched in straight code only (LoopMode::straight) is no piece: the loop's code holds its.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/plan/plan.h"

namespace lac {

struct PlanUnits {
  std::vector<KernelId> kernels;          ///< one of each text
  IdVector<KernelId, std::uint32_t> of;   ///< where each kernel's code is among `kernels`
  std::vector<std::string> kernel_texts;  ///< parallel to `kernels`
  std::vector<bool> is_piece;             ///< parallel to `kernels`: launched outside of straight code too
};

/// Kernels share code where they differ only in names and in the symbols of their extents, which come through slots;
/// with `named`, code names its buffers in messages: then only where those are equal too.
PlanUnits plan_units(const Plan& plan, bool named = false);

}  // namespace lac
