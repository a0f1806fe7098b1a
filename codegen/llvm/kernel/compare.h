// Comparisons of numbers.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <utility>

namespace lac::codegen {

/// fcmp, for the ordered predicates and une. |x| is not compared with 0: LLVM 19 takes x for positive where |x| > 0 or
/// |x| >= 0 holds (its fcmpImpliesClass looks through the fabs), so max(x, 0) became x there.
inline llvm::Value* compare_numbers(llvm::IRBuilderBase& b, llvm::CmpInst::Predicate predicate, llvm::Value* x,
                                    llvm::Value* y) {
  using Cmp = llvm::CmpInst;
  const auto is_zero = [](llvm::Value* value) {
    const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
    return constant != nullptr && constant->isZeroValue();
  };
  if (is_zero(x)) {
    std::swap(x, y);
    predicate = Cmp::getSwappedPredicate(predicate);
  }
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(x);
  if (call == nullptr || call->getIntrinsicID() != llvm::Intrinsic::fabs || !is_zero(y))
    return b.CreateFCmp(predicate, x, y);
  if (predicate == Cmp::FCMP_OGT) predicate = Cmp::FCMP_ONE;
  else if (predicate == Cmp::FCMP_OGE) predicate = Cmp::FCMP_ORD;
  else if (predicate == Cmp::FCMP_OLE) predicate = Cmp::FCMP_OEQ;
  else if (predicate == Cmp::FCMP_OLT) return llvm::ConstantInt::getFalse(Cmp::makeCmpResultType(x->getType()));
  return b.CreateFCmp(predicate, call->getArgOperand(0), y);
}

}  // namespace lac::codegen
