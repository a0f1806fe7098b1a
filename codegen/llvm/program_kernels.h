// The kernels of a Plan in the modules that it is compiled as.
#pragma once

#include "codegen/llvm/kernel_emitter.h"
#include "codegen/llvm/program.h"

namespace lac::codegen {

/// Emits the kernels that belong to `part`.
void emit_kernels(llvm::Module& module, const Graph& plan, Part part, const TargetOptions& target);

/// The functions of a kernel in `module`: as emitted there, else declared.
EmittedKernel find_kernel(llvm::Module& module, const Graph& plan, KernelId id);

}  // namespace lac::codegen
