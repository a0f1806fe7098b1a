#include "codegen/llvm/program_kernels.h"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Module.h>

#include <cctype>
#include <unordered_map>

#include "ir/kernel/text.h"
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

// What the code of a kernel depends on: its text without names, with its symbols in the order of first mention. Extents
// come through slots, so two kernels over other symbols can be one function.
std::string shape_text(Kernel kernel, bool with_names) {
  if (!with_names) {
    for (KernelInput& input : kernel.inputs) input.name.clear();
    for (KernelOutput& output : kernel.outputs) output.name.clear();
  }
  kernel.name.clear();
  std::unordered_map<SymbolId, std::string> names;
  return print_kernel(kernel, "k", [&](SymbolId id) {
    const auto [entry, added] = names.try_emplace(id);
    if (added) entry->second = "s" + std::to_string(names.size());
    return entry->second;
  });
}

llvm::Function* function_named(llvm::Module& module, const std::string& name, llvm::Type* result, unsigned integers) {
  llvm::LLVMContext& context = module.getContext();
  llvm::SmallVector<llvm::Type*, 3> arguments{llvm::PointerType::getUnqual(context)};
  arguments.append(integers, llvm::Type::getInt64Ty(context));
  auto* function = llvm::cast<llvm::Function>(
      module.getOrInsertFunction(name, llvm::FunctionType::get(result, arguments, false)).getCallee());
  function->setDoesNotThrow();
  return function;
}

}  // namespace

KernelCode::KernelCode(const Graph& plan, bool check_bounds) : plan_(plan) {
  std::unordered_map<std::string, KernelId> first_of_shape;
  for (std::uint32_t k = 0; k < plan.kernels.size(); ++k) {
    const auto [first, added] =
        first_of_shape.try_emplace(shape_text(plan.kernels[KernelId{k}], check_bounds), KernelId{k});
    shared_.push(first->second);
    if (added) distinct_.push_back(KernelId{k});
  }
}

void KernelCode::emit(llvm::Module& module, Part part, const TargetOptions& target) const {
  for (std::size_t k = part.index; k < distinct_.size(); k += part.count) {
    Kernel kernel = plan_.kernels[distinct_[k]];
    kernel.name = symbol_of(kernel, distinct_[k]);
    const EmittedKernel emitted = emit_kernel(module, plan_, kernel, target);
    for (llvm::Function* function : {emitted.blocks, emitted.main, emitted.finish})
      if (function != nullptr && part.count == 1) function->setLinkage(llvm::Function::InternalLinkage);
  }
}

EmittedKernel KernelCode::find(llvm::Module& module, KernelId id) const {
  const KernelId code = shared_[id];
  const Kernel& kernel = plan_.kernels[code];
  const std::string symbol = symbol_of(kernel, code);
  llvm::Type* nothing = llvm::Type::getVoidTy(module.getContext());
  return {function_named(module, symbol + "_blocks", llvm::Type::getInt64Ty(module.getContext()), 0),
          function_named(module, symbol, nothing, 2),
          partial_count(kernel) > 0 ? function_named(module, symbol + "_finish", nothing, 1) : nullptr};
}

}  // namespace lac::codegen
