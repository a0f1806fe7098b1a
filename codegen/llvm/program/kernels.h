// The kernels of a Plan in the module that has all of it.
#pragma once

#include <string>

#include "codegen/llvm/kernel/emitter.h"
#include "ir/graph/graph.h"

namespace lac::codegen {

inline constexpr const char* kernel_table_name = "lac_kernels";

/// The name of its main function in the module: kernels are named after their outputs, for people, and neither unique
/// nor identifiers.
std::string kernel_symbol(const Kernel& kernel, KernelId id);

/// Emits the functions of every kernel (those of equal text once), internal to the module, and the table of them:
/// `const abi::KernelCode lac_kernels[]`, by KernelId, with one empty row where there is no kernel.
void emit_kernels(llvm::Module& module, const Graph& plan, const TargetOptions& target);

}  // namespace lac::codegen
