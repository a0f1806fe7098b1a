#include "codegen/llvm/program_kernels.h"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Module.h>

#include <cctype>

#include "ir/plan/slots.h"

namespace lac::codegen {
namespace {

// Kernels are named after their outputs, for people: neither unique nor identifiers.
std::string symbol_of(const Kernel& kernel, KernelId id) {
  std::string symbol = "k" + std::to_string(id.index) + "_";
  for (const char c : kernel.name) {
    if (std::isalnum(static_cast<unsigned char>(c))) symbol += c;
    else if (symbol.back() != '_') symbol += '_';
  }
  if (symbol.back() == '_') symbol.pop_back();
  return symbol;
}

llvm::Function* find(llvm::Module& module, const std::string& name, llvm::Type* result, unsigned integers) {
  llvm::LLVMContext& context = module.getContext();
  llvm::SmallVector<llvm::Type*, 3> arguments{llvm::PointerType::getUnqual(context)};
  arguments.append(integers, llvm::Type::getInt64Ty(context));
  auto* function = llvm::cast<llvm::Function>(
      module.getOrInsertFunction(name, llvm::FunctionType::get(result, arguments, false)).getCallee());
  function->setDoesNotThrow();
  return function;
}

}  // namespace

void emit_kernels(llvm::Module& module, const Graph& plan, Part part, const TargetOptions& target) {
  for (std::uint32_t k = part.index; k < plan.kernels.size(); k += part.count) {
    Kernel kernel = plan.kernels[KernelId{k}];
    kernel.name = symbol_of(kernel, KernelId{k});
    const EmittedKernel emitted = emit_kernel(module, plan, kernel, target);
    for (llvm::Function* function : {emitted.blocks, emitted.main, emitted.finish})
      if (function != nullptr && part.count == 1) function->setLinkage(llvm::Function::InternalLinkage);
  }
}

EmittedKernel find_kernel(llvm::Module& module, const Graph& plan, KernelId id) {
  const Kernel& kernel = plan.kernels[id];
  const std::string symbol = symbol_of(kernel, id);
  llvm::Type* nothing = llvm::Type::getVoidTy(module.getContext());
  return {find(module, symbol + "_blocks", llvm::Type::getInt64Ty(module.getContext()), 0),
          find(module, symbol, nothing, 2),
          partial_count(kernel) > 0 ? find(module, symbol + "_finish", nothing, 1) : nullptr};
}

}  // namespace lac::codegen
