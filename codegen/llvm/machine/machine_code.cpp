#include "codegen/llvm/machine/machine_code.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

namespace lac::codegen {

Result<std::string> machine_code(llvm::Module& module, llvm::TargetMachine& machine, MachineFile kind) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  const auto file =
      kind == MachineFile::object ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, file))
    return Failure{"the code generator cannot write this kind of file"};
  passes.run(module);
  return std::string(bytes.begin(), bytes.end());
}

}  // namespace lac::codegen
