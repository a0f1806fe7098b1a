#include "codegen/llvm/optimize.h"

#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>

#include "ir/support/result.h"

namespace lac::codegen {

void optimize(llvm::Module& module, llvm::TargetMachine& machine) {
  // sroa: accumulators and scalars live in allocas until here.
  static constexpr const char* pipeline =
      "function(sroa,early-cse,instcombine<no-verify-fixpoint>,loop-mssa(licm),simplifycfg)";
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  if (llvm::Error error = builder.parsePassPipeline(passes, pipeline))
    throw InternalError("LLVM pass pipeline: " + llvm::toString(std::move(error)));
  passes.run(module, modules);

  llvm::FunctionPassManager thorough =
      builder.buildFunctionSimplificationPipeline(llvm::OptimizationLevel::O2, llvm::ThinOrFullLTOPhase::None);
  for (llvm::Function& function : module)
    if (function.hasFnAttribute(thorough_attribute)) thorough.run(function, functions);
}

}  // namespace lac::codegen
