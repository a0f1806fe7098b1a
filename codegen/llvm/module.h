// A Plan as an optimised LLVM module: the step that the JIT, objects and listings share.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>

#include "codegen/llvm/options.h"
#include "codegen/llvm/program.h"
#include "ir/graph/graph.h"

namespace llvm {
class TargetMachine;
}

namespace lac::codegen {

/// The context outlives the module: members are destroyed in reverse order.
struct CompiledModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};

CompiledModule compile_module(const Graph& plan, const CodegenOptions& options, llvm::TargetMachine& machine,
                              Part part = {});

}  // namespace lac::codegen
