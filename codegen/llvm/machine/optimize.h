// The short pipeline for generated code: vectors are explicit, so what is left is cleaning up.
#pragma once

namespace llvm {
class Function;
class Module;
class TargetMachine;
}  // namespace llvm

namespace lac::codegen {

/// Of functions whose speed is that of LLVM's own work: they get all of it. The others are explicit vector code.
inline constexpr const char* thorough_attribute = "lac-thorough";

void optimize(llvm::Module& module, llvm::TargetMachine& machine);

/// From here on the function takes the fast code generator.
void hurry(llvm::Function& function);

}  // namespace lac::codegen
