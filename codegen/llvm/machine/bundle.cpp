#include "codegen/llvm/machine/bundle.h"

#include <llvm/IR/Constants.h>
#include <llvm/Target/TargetMachine.h>

#include "codegen/llvm/machine/machine_code.h"
#include "codegen/llvm/machine/module.h"
#include "codegen/llvm/machine/target.h"
#include "codegen/llvm/program/kernels.h"
#include "codegen/llvm/program/program.h"
#include "ir/plan/bundle.h"

namespace lac::codegen {
namespace {

llvm::Constant* number(llvm::Module& module, std::uint64_t value) {
  return llvm::ConstantInt::get(llvm::Type::getInt64Ty(module.getContext()), value);
}

/// A constant that only this object knows.
llvm::GlobalVariable* hidden(llvm::Module& module, llvm::Constant* value) {
  return new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::InternalLinkage, value);
}

void publish(llvm::Module& module, const char* name, llvm::Constant* value) {
  new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::ExternalLinkage, value, name);
}

llvm::Constant* text(llvm::Module& module, const std::string& bytes, bool terminated) {
  return hidden(module, llvm::ConstantDataArray::getString(module.getContext(), bytes, terminated));
}

llvm::Constant* array(const std::vector<llvm::Constant*>& items) {
  return llvm::ConstantArray::get(llvm::ArrayType::get(items.front()->getType(), items.size()), items);
}

std::string kernels_of(const std::string& entry) { return entry + "_kernels"; }

llvm::Constant* code_table(llvm::Module& module, const std::vector<BundleEntry>& code) {
  std::vector<llvm::Constant*> rows;
  llvm::LLVMContext& context = module.getContext();
  auto* type = llvm::FunctionType::get(llvm::Type::getInt32Ty(context), {llvm::PointerType::getUnqual(context)}, false);
  for (const BundleEntry& each : code) {
    auto* entry = llvm::cast<llvm::Constant>(module.getOrInsertFunction(each.entry, type).getCallee());
    llvm::Constant* kernels = module.getOrInsertGlobal(kernels_of(each.entry), llvm::PointerType::getUnqual(context));
    rows.push_back(llvm::ConstantStruct::getAnon(
        {text(module, each.cpu, true), text(module, each.features, true), entry, kernels}));
  }
  return hidden(module, array(rows));
}

llvm::Constant* row_of(llvm::Module& module, const BundlePart& part) {
  const std::string manifest = to_bytes(*part.manifest);
  return llvm::ConstantStruct::getAnon({text(module, part.signature, false), number(module, part.signature.size()),
                                        text(module, manifest, false), number(module, manifest.size()),
                                        code_table(module, part.code), number(module, part.code.size())});
}

llvm::Constant* text_row(llvm::Module& module, const SourceText& source) {
  return llvm::ConstantStruct::getAnon({text(module, source.name, false), number(module, source.name.size()),
                                        text(module, source.text, false), number(module, source.text.size())});
}

}  // namespace

Result<std::string> emit_entry(const Plan& plan, const std::string& entry, const CodegenOptions& options) {
  Result<std::unique_ptr<llvm::TargetMachine>> machine = make_target_machine(options, CodeUse::object);
  if (!machine) return machine.failure();
  const CompiledModule compiled = compile_plan(plan, options, *machine.value());
  compiled.module->getFunction(program_name)->setName(entry);
  compiled.module->getGlobalVariable(kernel_table_name)->setName(kernels_of(entry));
  return machine_code(*compiled.module, *machine.value(), MachineFile::object);
}

Result<std::string> machine_features(const CodegenOptions& options) {
  Result<std::unique_ptr<llvm::TargetMachine>> machine = make_target_machine(options, CodeUse::object);
  if (!machine) return machine.failure();
  return features_of(*machine.value());
}

Result<std::string> emit_bundle(const std::vector<BundlePart>& parts, const std::vector<SourceText>& texts) {
  Result<std::unique_ptr<llvm::TargetMachine>> machine = make_target_machine({"x86-64"}, CodeUse::object);
  if (!machine) return machine.failure();
  llvm::LLVMContext context;
  llvm::Module module("bundle", context);
  std::vector<llvm::Constant*> rows;
  for (const BundlePart& part : parts) rows.push_back(row_of(module, part));
  publish(module, abi::bundle_name, array(rows));
  publish(module, abi::bundle_size_name, number(module, rows.size()));
  std::vector<llvm::Constant*> text_rows;
  for (const SourceText& each : texts) text_rows.push_back(text_row(module, each));
  publish(module, abi::texts_name, array(text_rows));
  publish(module, abi::texts_size_name, number(module, text_rows.size()));
  set_target(module, *machine.value());
  return machine_code(module, *machine.value(), MachineFile::object);
}

}  // namespace lac::codegen
