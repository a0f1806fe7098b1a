#include "codegen/llvm/kernel/vector_math.h"

#include <llvm/IR/Module.h>

#include <algorithm>
#include <numeric>
#include <string>

namespace lac::codegen {
namespace {

using llvm::Value;
using Builder = llvm::IRBuilder<>;
using Operands = llvm::ArrayRef<Value*>;

Value* call(Builder& b, const std::string& name, Operands operands) {
  llvm::Type* type = operands[0]->getType();
  llvm::SmallVector<llvm::Type*, 2> arguments(operands.size(), type);
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  llvm::FunctionCallee callee = module.getOrInsertFunction(name, llvm::FunctionType::get(type, arguments, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotAccessMemory();  // errno and floating-point flags are not observed
  function->setDoesNotThrow();
  function->setWillReturn();
  return b.CreateCall(callee, operands);
}

Value* call_scalar(Builder& b, const MathFunction& function, Operands operands) {
  llvm::Type* type = operands[0]->getType();
  llvm::SmallVector<Value*, 2> wide;
  for (Value* operand : operands) wide.push_back(b.CreateFPCast(operand, b.getDoubleTy()));
  return b.CreateFPCast(call(b, function.libm, wide), type);
}

// Lanes [first, first + count) of a vector; lanes past its end repeat the last one.
Value* slice(Builder& b, Value* vector, unsigned first, unsigned count) {
  const unsigned last = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements() - 1;
  llvm::SmallVector<int, 16> mask;
  for (unsigned lane = first; lane < first + count; ++lane) mask.push_back(static_cast<int>(std::min(lane, last)));
  return b.CreateShuffleVector(vector, mask);
}

Value* concatenate(Builder& b, llvm::SmallVector<Value*, 8> pieces, unsigned lanes) {
  while (pieces.size() > 1) {
    llvm::SmallVector<Value*, 8> joined;
    const unsigned width = llvm::cast<llvm::FixedVectorType>(pieces[0]->getType())->getNumElements();
    llvm::SmallVector<int, 16> mask(2 * width);
    std::iota(mask.begin(), mask.end(), 0);
    for (std::size_t n = 0; n + 1 < pieces.size(); n += 2)
      joined.push_back(b.CreateShuffleVector(pieces[n], pieces[n + 1], mask));
    pieces = std::move(joined);
  }
  return slice(b, pieces[0], 0, lanes);
}

}  // namespace

llvm::Value* emit_math(llvm::IRBuilder<>& b, const TargetOptions& target, const MathFunction& function,
                       llvm::ArrayRef<llvm::Value*> operands) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(operands[0]->getType());
  if (!type) return call_scalar(b, function, operands);

  const bool single = type->getElementType()->isFloatTy();
  const unsigned native = vector_bytes(target.isa) / (single ? 4 : 8), lanes = type->getNumElements();
  const std::string name = sleef_name(target.isa, function.sleef, function.accuracy, single);
  unsigned pieces = 1;
  while (pieces * native < lanes) pieces *= 2;
  llvm::SmallVector<Value*, 8> results;
  for (unsigned piece = 0; piece < pieces; ++piece) {
    llvm::SmallVector<Value*, 2> part;
    for (Value* operand : operands) part.push_back(slice(b, operand, piece * native, native));
    results.push_back(call(b, name, part));
  }
  return concatenate(b, std::move(results), lanes);
}

}  // namespace lac::codegen
