#include "codegen/llvm/module.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include "codegen/llvm/optimize.h"
#include "codegen/llvm/program.h"
#include "codegen/llvm/target.h"
#include "ir/support/result.h"

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

CompiledModule compile_module(const Graph& plan, const CodegenOptions& options, llvm::TargetMachine& machine,
                              Part part) {
  CompiledModule result;
  result.context = std::make_unique<llvm::LLVMContext>();
  result.module = std::make_unique<llvm::Module>(plan.name.empty() ? "program" : plan.name, *result.context);
  result.module->setDataLayout(machine.createDataLayout());
  TargetOptions target = kernel_target(machine);
  target.check_bounds = options.check_bounds;
  emit_part(*result.module, plan, part, target);
  set_target(*result.module, machine);
  if (options.verify) verify(*result.module);
  optimize(*result.module, machine);
  return result;
}

}  // namespace lac::codegen
