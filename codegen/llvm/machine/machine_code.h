// A module as an object file or as assembly.
#pragma once

#include <string>

#include "ir/support/result.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace lac::codegen {

enum class MachineFile { object, assembly };

Result<std::string> machine_code(llvm::Module& module, llvm::TargetMachine& machine, MachineFile kind);

}  // namespace lac::codegen
