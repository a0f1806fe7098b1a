#include "codegen/llvm/program/kernels.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include <cctype>
#include <vector>

#include "ir/plan/units.h"

namespace lac::codegen {

std::string kernel_symbol(const Kernel& kernel, KernelId id) {
  std::string symbol = "k" + std::to_string(id.index) + "_";
  for (const char c : kernel.name) {
    if (std::isalnum(static_cast<unsigned char>(c))) symbol += c;
    else if (symbol.back() != '_') symbol += '_';
  }
  if (symbol.back() == '_') symbol.pop_back();
  return symbol;
}

namespace {

EmittedKernel emit_internal(llvm::Module& module, const Graph& plan, KernelId id, const TargetOptions& target) {
  Kernel kernel = plan.kernels[id];
  kernel.name = kernel_symbol(kernel, id);
  const EmittedKernel emitted = emit_kernel(module, plan, kernel, target);
  for (llvm::Function* function : {emitted.blocks, emitted.main, emitted.finish})
    if (function != nullptr) function->setLinkage(llvm::Function::InternalLinkage);
  return emitted;
}

// abi::KernelCode.
llvm::Constant* table_row(llvm::LLVMContext& context, const EmittedKernel& kernel) {
  auto* none = llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(context));
  const auto pointer = [&](llvm::Function* function) -> llvm::Constant* {
    return function ? static_cast<llvm::Constant*>(function) : none;
  };
  return llvm::ConstantStruct::getAnon({pointer(kernel.blocks), pointer(kernel.main), pointer(kernel.finish)});
}

}  // namespace

void emit_kernels(llvm::Module& module, const Plan& plan, const TargetOptions& target, bool every) {
  const PlanUnits units = plan_units(plan, target.check_bounds);
  std::vector<EmittedKernel> emitted(units.kernels.size());
  for (std::size_t n = 0; n < emitted.size(); ++n)
    if (every || units.is_piece[n]) emitted[n] = emit_internal(module, plan, units.kernels[n], target);
  std::vector<llvm::Constant*> rows;
  for (const std::uint32_t unit : units.of) rows.push_back(table_row(module.getContext(), emitted[unit]));
  if (rows.empty()) rows.push_back(table_row(module.getContext(), {}));
  llvm::Constant* table = llvm::ConstantArray::get(llvm::ArrayType::get(rows.front()->getType(), rows.size()), rows);
  new llvm::GlobalVariable(module, table->getType(), true, llvm::GlobalValue::ExternalLinkage, table,
                           kernel_table_name);
}

}  // namespace lac::codegen
