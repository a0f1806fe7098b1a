// The short pipeline for generated code: vectors are explicit, so what is left is cleaning up.
#pragma once

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace lac::codegen {

void optimize(llvm::Module& module, llvm::TargetMachine& machine);

}  // namespace lac::codegen
