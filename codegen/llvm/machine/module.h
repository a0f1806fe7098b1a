// An optimised LLVM module: the step that units, objects and listings share.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>

#include "codegen/llvm/kernel/emitter.h"
#include "codegen/llvm/options.h"
#include "ir/plan/plan.h"

namespace llvm {
class TargetMachine;
}

namespace lac::codegen {

/// The context outlives the module: members are destroyed in reverse order.
struct CompiledModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};

/// A module of what `emit` adds to it.
CompiledModule compile_module(const std::string& name, const CodegenOptions& options, llvm::TargetMachine& machine,
                              llvm::function_ref<void(llvm::Module&, const TargetOptions&)> emit);

/// The whole plan: lac_program and lac_kernels.
CompiledModule compile_plan(const Plan& plan, const CodegenOptions& options, llvm::TargetMachine& machine);

}  // namespace lac::codegen
