// One piece of a Plan (ir/plan/units.h) as an object file for this machine.
#pragma once

#include <string>

#include "codegen/llvm/options.h"
#include "ir/plan/plan.h"
#include "ir/support/result.h"

namespace lac::codegen {

/// The functions of a kernel: `kernel_blocks`, `kernel` and, where it has one, `kernel_finish` (abi::KernelCode).
Result<std::string> compile_kernel(const Graph& plan, KernelId kernel, const CodegenOptions& options);
/// `lac_program`; it calls functions of the runtime alone.
Result<std::string> compile_program(const Plan& plan, const CodegenOptions& options);
/// `lac_loop`: the rest of this loop (runtime::LoopFunction).
Result<std::string> compile_loop(const Plan& plan, OpId loop, const CodegenOptions& options);

inline constexpr const char* kernel_symbol = "kernel";

}  // namespace lac::codegen
