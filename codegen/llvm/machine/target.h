// The machine that code is generated for.
#pragma once

#include <memory>
#include <string>

#include "codegen/llvm/kernel/emitter.h"
#include "codegen/llvm/options.h"
#include "ir/support/result.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace lac::codegen {

enum class CodeUse {
  process,  ///< runs in this process
  object,   ///< linked into a program
};

/// A failure names the CPU that LLVM does not know, or that this machine cannot run (process). Code is position
/// independent, of the small code model.
Result<std::unique_ptr<llvm::TargetMachine>> make_target_machine(const CodegenOptions& options, CodeUse use);

/// What kernels are emitted for on this machine.
TargetOptions kernel_target(const llvm::TargetMachine& machine);

/// Everything that the code may use of the machine, in LLVM's words: "avx2,bmi2,...".
std::string features_of(const llvm::TargetMachine& machine);

/// Triple and data layout; CPU, features and the preferred vector width as attributes of every function defined.
void set_target(llvm::Module& module, const llvm::TargetMachine& machine);

}  // namespace lac::codegen
