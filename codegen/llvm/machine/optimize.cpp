#include "codegen/llvm/machine/optimize.h"

#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>

#include "ir/support/result.h"

namespace lac::codegen {
namespace {

// LLVM's passes take some 20 us an instruction; its register allocator takes longer for each the more there are: 0.1 s
// for 2,000, 10 s for 30,000. What the fast one makes of branches and single elements is hardly slower.
constexpr unsigned most_for_passes = 15'000, most_for_registers = 2'500;

}  // namespace

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

  // What LLVM's own pipeline does behind the simplification, as far as it is about loops.
  static constexpr const char* of_loops =
      "loop-mssa(loop-rotate,licm,simple-loop-unswitch<nontrivial>),loop-distribute,loop-vectorize,loop-load-elim,"
      "instcombine<no-verify-fixpoint>,"
      "simplifycfg,"
      "slp-vectorizer,vector-combine,instcombine<no-verify-fixpoint>,loop-unroll<O2>,instcombine<no-verify-fixpoint>,"
      "loop-mssa(licm),simplifycfg";
  llvm::FunctionPassManager vectorize;
  if (llvm::Error error = builder.parsePassPipeline(vectorize, of_loops))
    throw InternalError("LLVM pass pipeline: " + llvm::toString(std::move(error)));
  llvm::FunctionPassManager thorough =
      builder.buildFunctionSimplificationPipeline(llvm::OptimizationLevel::O2, llvm::ThinOrFullLTOPhase::None);
  for (llvm::Function& function : module) {
    if (!function.hasFnAttribute(thorough_attribute)) continue;
    // Asked again for each: what the first makes is shorter.
    for (llvm::FunctionPassManager* pass : {&thorough, &vectorize})
      if (function.getInstructionCount() <= most_for_passes) pass->run(function, functions);
    if (function.getInstructionCount() > most_for_registers) hurry(function);
  }
}

void hurry(llvm::Function& function) {
  function.addFnAttr(llvm::Attribute::OptimizeNone);
  function.addFnAttr(llvm::Attribute::NoInline);
}

}  // namespace lac::codegen
