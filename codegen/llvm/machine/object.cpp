#include "codegen/llvm/machine/object.h"

#include <llvm/IR/Constants.h>
#include <llvm/Target/TargetMachine.h>

#include "codegen/llvm/machine/machine_code.h"
#include "codegen/llvm/machine/module.h"
#include "codegen/llvm/machine/source_lines.h"
#include "codegen/llvm/machine/target.h"

namespace lac::codegen {
namespace {

void embed(llvm::Module& module, const char* name, llvm::Constant* data) {
  new llvm::GlobalVariable(module, data->getType(), true, llvm::GlobalValue::ExternalLinkage, data, name);
}

void embed_manifest(llvm::Module& module, const std::string& bytes) {
  llvm::LLVMContext& context = module.getContext();
  embed(module, "lac_manifest", llvm::ConstantDataArray::getString(context, bytes, false));
  embed(module, "lac_manifest_size", llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), bytes.size()));
}

template <class Emit>
Result<std::string> with_module(const Plan& plan, const CodegenOptions& options, Emit&& emit) {
  Result<std::unique_ptr<llvm::TargetMachine>> machine = make_target_machine(options, CodeUse::object);
  if (!machine) return machine.failure();
  CompiledModule compiled = compile_plan(plan, options, *machine.value());
  return emit(*compiled.module, *machine.value());
}

}  // namespace

Result<std::string> emit_object(const Plan& plan, const Manifest& manifest, const CodegenOptions& options) {
  return with_module(plan, options, [&](llvm::Module& module, llvm::TargetMachine& machine) {
    embed_manifest(module, to_bytes(manifest));
    return machine_code(module, machine, MachineFile::object);
  });
}

Result<std::string> emit_llvm_text(const Plan& plan, const SourceManager& sources, const CodegenOptions& options) {
  CodegenOptions with_places = options;
  with_places.places = true;
  return with_module(plan, with_places, [&](llvm::Module& module, llvm::TargetMachine&) -> Result<std::string> {
    return listing(module, plan, sources);
  });
}

Result<std::string> emit_asm(const Plan& plan, const CodegenOptions& options) {
  return with_module(plan, options, [](llvm::Module& module, llvm::TargetMachine& machine) {
    return machine_code(module, machine, MachineFile::assembly);
  });
}

}  // namespace lac::codegen
