// The kernels of a Plan in the module that has all of it.
#pragma once

#include <string>

#include "codegen/llvm/kernel/emitter.h"
#include "ir/plan/plan.h"

namespace lac::codegen {

inline constexpr const char* kernel_table_name = "lac_kernels";

/// The name of its main function in the module: kernels are named after their outputs, for people, and neither unique
/// nor identifiers.
std::string kernel_symbol(const Kernel& kernel, KernelId id);

/// Emits the functions of every kernel that is a piece of the Plan (those of equal text once; ir/plan/units.h), or of
/// `every` kernel, internal to the module, and the table of them: `const abi::KernelCode lac_kernels[]`, by KernelId,
/// with empty rows for the others, and one where there is no kernel.
void emit_kernels(llvm::Module& module, const Plan& plan, const TargetOptions& target, bool every);

}  // namespace lac::codegen
