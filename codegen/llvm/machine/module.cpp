#include "codegen/llvm/machine/module.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include "codegen/llvm/machine/optimize.h"
#include "codegen/llvm/machine/target.h"
#include "codegen/llvm/program/kernels.h"
#include "codegen/llvm/program/program.h"
#include "ir/support/result.h"
#include "ir/support/timed.h"

namespace lac::codegen {
namespace {

void verify(const llvm::Module& module) {
  std::string problems;
  llvm::raw_string_ostream stream(problems);
  if (!llvm::verifyModule(module, &stream)) return;
  module.print(stream, nullptr);
  throw InternalError("codegen: " + stream.str());
}

}  // namespace

CompiledModule compile_module(const std::string& name, const CodegenOptions& options, llvm::TargetMachine& machine,
                              llvm::function_ref<void(llvm::Module&, const TargetOptions&)> emit) {
  CompiledModule result;
  result.context = std::make_unique<llvm::LLVMContext>();
  result.module = std::make_unique<llvm::Module>(name, *result.context);
  result.module->setDataLayout(machine.createDataLayout());
  TargetOptions target = kernel_target(machine);
  target.check_bounds = options.check_bounds;
  target.places = options.places;
  UnitTimes times;
  timed(times.emission, [&] { emit(*result.module, target); });
  set_target(*result.module, machine);
  if (options.verify) verify(*result.module);
  timed(times.optimisation, [&] { optimize(*result.module, machine); });
  if (options.times != nullptr) *options.times = times;
  return result;
}

CompiledModule compile_plan(const Plan& plan, const CodegenOptions& options, llvm::TargetMachine& machine) {
  const auto emit = [&](llvm::Module& module, const TargetOptions& target) {
    emit_kernels(module, plan, target, options.every_kernel);
    emit_program(module, plan, target);
  };
  return compile_module(plan.name.empty() ? "program" : plan.name, options, machine, emit);
}

}  // namespace lac::codegen
