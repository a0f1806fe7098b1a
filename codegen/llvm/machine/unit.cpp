#include "codegen/llvm/machine/unit.h"

#include <llvm/Target/TargetMachine.h>

#include <map>
#include <memory>

#include "codegen/llvm/machine/machine_code.h"
#include "codegen/llvm/machine/module.h"
#include "codegen/llvm/machine/optimize.h"
#include "codegen/llvm/machine/target.h"
#include "codegen/llvm/program/program.h"
#include "ir/support/timed.h"

namespace lac::codegen {
namespace {

// Then its speed is that of lac_program_body's own code.
bool is_straight(const Plan& plan, OpId loop) { return plan.loop(loop).mode == LoopMode::straight; }

bool has_straight_loop(const Plan& plan, BlockId block) {
  bool found = false;
  for_each_op(plan, block, [&](OpId id) { found |= plan.ops[id].kind == OpKind::loop && is_straight(plan, id); });
  return found;
}

// What runs once per launch is not worth the optimising code generator.
void hurry_what_runs_once(llvm::Module& module, bool hurry_program) {
  for (llvm::Function& function : module) {
    const llvm::StringRef name = function.getName();
    const bool cold = name.ends_with("_blocks") || name.ends_with("_finish") || (name == body_name && hurry_program);
    if (function.isDeclaration() || !cold) continue;
    hurry(function);
  }
}

// A machine keeps what LLVM's passes are told of its CPU: made anew that takes 2 of the 7 ms that a small kernel
// does. It serves one compilation at a time.
Result<llvm::TargetMachine*> machine_of_thread(const CodegenOptions& options) {
  thread_local std::map<std::string, std::unique_ptr<llvm::TargetMachine>> machines;
  std::unique_ptr<llvm::TargetMachine>& machine = machines[options.cpu];
  if (machine == nullptr) {
    Result<std::unique_ptr<llvm::TargetMachine>> made = make_target_machine(options, CodeUse::process);
    if (!made) return made.failure();
    machine = made.take();
  }
  return machine.get();
}

Result<std::string> compile(const CodegenOptions& options, bool hurry_program,
                            llvm::function_ref<void(llvm::Module&, const TargetOptions&)> emit) {
  const Result<llvm::TargetMachine*> machine = machine_of_thread(options);
  if (!machine) return machine.failure();
  const CompiledModule compiled = compile_module("unit", options, *machine.value(), emit);
  hurry_what_runs_once(*compiled.module, hurry_program);
  double generation = 0;
  Result<std::string> code =
      timed(generation, [&] { return machine_code(*compiled.module, *machine.value(), MachineFile::object); });
  if (options.times != nullptr) options.times->generation = generation;
  return code;
}

}  // namespace

Result<std::string> compile_kernel(const Graph& plan, KernelId id, const CodegenOptions& options) {
  return compile(options, false, [&](llvm::Module& module, const TargetOptions& target) {
    Kernel kernel = plan.kernels[id];
    kernel.name = kernel_symbol;
    emit_kernel(module, plan, kernel, target);
  });
}

Result<std::string> compile_program(const Plan& plan, const CodegenOptions& options) {
  return compile(options, !has_straight_loop(plan, plan.body),
                 [&](llvm::Module& module, const TargetOptions& target) { emit_program(module, plan, target); });
}

Result<std::string> compile_loop(const Plan& plan, OpId loop, const CodegenOptions& options) {
  const bool straight = is_straight(plan, loop) || has_straight_loop(plan, plan.ops[loop].blocks[0]);
  return compile(options, !straight,
                 [&](llvm::Module& module, const TargetOptions& target) { emit_loop(module, plan, loop, target); });
}

}  // namespace lac::codegen
