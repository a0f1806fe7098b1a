#include "codegen/llvm/kernel/emitter.h"

#include <llvm/IR/Module.h>

#include "codegen/llvm/kernel/point.h"
#include "codegen/llvm/kernel/streams.h"
#include "codegen/llvm/kernel/strips.h"
#include "codegen/llvm/kernel/walk.h"
#include "ir/kernel/body.h"
#include "ir/support/result.h"

namespace lac::codegen {
namespace {

llvm::Function* declare(llvm::Module& module, const std::string& name, llvm::Type* result, unsigned integers) {
  llvm::LLVMContext& context = module.getContext();
  llvm::SmallVector<llvm::Type*, 3> arguments{llvm::PointerType::get(context, 0)};
  arguments.append(integers, llvm::Type::getInt64Ty(context));
  llvm::FunctionType* type = llvm::FunctionType::get(result, arguments, false);
  if (module.getFunction(name)) throw InternalError("two kernels are named '" + name + "'");
  auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
  function->setDoesNotThrow();
  return function;
}

Value* block_count(KernelFunction& f) {
  if (f.kernel().schedule.traversal == Traversal::point) return f.integer(1);
  return f.kernel().ahead.empty() ? emit_block_count(f, plan_walk(f.kernel(), f.nest())) : emit_strip_parts(f);
}

llvm::Function* emit_blocks(llvm::Module& module, const Kernel& kernel, const TargetOptions& target) {
  llvm::Function* function = declare(module, kernel.name + "_blocks", llvm::Type::getInt64Ty(module.getContext()), 0);
  KernelFunction f(function, kernel, target);
  f.load_slots();
  f.builder().CreateRet(block_count(f));
  return function;
}

// A condition that is the same at all points is asked once, not at each of them: a walk for either answer.
void emit_by_condition(KernelFunction& f, llvm::function_ref<void()> walk) {
  const std::optional<std::uint32_t> condition = common_condition(f.kernel());
  if (!condition) return walk();
  Value* holds = f.scalar_input(*condition);
  const auto known = [&](bool answer) {
    f.set_scalar_input(*condition, f.builder().getInt1(answer));
    walk();
  };
  f.when(
      holds, [&] { known(true); }, [&] { known(false); });
}

void emit_walk(KernelFunction& f) {
  emit_stream_test(f);
  const auto walk = [&] {
    if (!f.kernel().ahead.empty()) return emit_strips(f, f.argument(1), f.argument(2));
    NestWalk(f, {has_partials(f.kernel()) ? block_count(f) : nullptr}).emit(f.argument(1), f.argument(2));
  };
  emit_by_condition(f, walk);
  emit_stream_fence(f);
}

llvm::Function* emit_main(llvm::Module& module, const Kernel& kernel, const TargetOptions& target) {
  llvm::Function* function = declare(module, kernel.name, llvm::Type::getVoidTy(module.getContext()), 2);
  KernelFunction f(function, kernel, target);
  f.load_slots();
  if (kernel.schedule.traversal == Traversal::point) emit_point(f);
  else emit_walk(f);
  f.builder().CreateRetVoid();
  return function;
}

llvm::Function* emit_finish(llvm::Module& module, const Kernel& kernel, const TargetOptions& target) {
  if (!has_partials(kernel)) return nullptr;
  llvm::Function* function = declare(module, kernel.name + "_finish", llvm::Type::getVoidTy(module.getContext()), 1);
  KernelFunction f(function, kernel, target);
  f.load_slots();
  codegen::emit_finish(f, f.argument(1));
  f.builder().CreateRetVoid();
  return function;
}

}  // namespace

TargetOptions TargetOptions::from_features(std::string_view features) {
  auto has = [&](std::string_view feature) { return features.find(feature) != std::string_view::npos; };
  const bool fma = has("+fma");
  if (has("+avx512f") && has("+avx512vl") && has("+avx512dq") && fma) return {VectorIsa::avx512f};
  if (has("+avx2") && fma) return {VectorIsa::avx2};
  return {has("+sse4.1") || has("+sse4.2") ? VectorIsa::sse4 : VectorIsa::sse2};
}

EmittedKernel emit_kernel(llvm::Module& module, const Graph&, const Kernel& kernel, const TargetOptions& target) {
  return {emit_blocks(module, kernel, target), emit_main(module, kernel, target), emit_finish(module, kernel, target)};
}

}  // namespace lac::codegen
