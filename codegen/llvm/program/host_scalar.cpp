#include "codegen/llvm/program/host_scalar.h"

#include <array>
#include <optional>

#include "codegen/llvm/kernel/compare.h"
#include "codegen/llvm/kernel/scalar_math.h"

namespace lac::codegen {
namespace {

using llvm::CmpInst;
using llvm::Value;
using Builder = llvm::IRBuilderBase;

// Operands are doubles; the result is a double, or an i1 for truth values.
using Emit = Value* (*)(Builder&, Value* const*);

template <llvm::Instruction::BinaryOps op>
Value* binary(Builder& b, Value* const* x) {
  return b.CreateBinOp(op, x[0], x[1]);
}

template <llvm::Intrinsic::ID id>
Value* intrinsic(Builder& b, Value* const* x) {
  return b.CreateUnaryIntrinsic(id, x[0]);
}

template <CmpInst::Predicate predicate>
Value* compare(Builder& b, Value* const* x) {
  return compare_numbers(b, predicate, x[0], x[1]);
}

Value* zero(Builder& b) { return llvm::ConstantFP::get(b.getDoubleTy(), 0.0); }
Value* truth(Builder& b, Value* x) { return b.CreateFCmpUNE(x, zero(b)); }

template <llvm::Instruction::BinaryOps op>
Value* logic(Builder& b, Value* const* x) {
  return b.CreateBinOp(op, truth(b, x[0]), truth(b, x[1]));
}

Value* absolute(Builder& b, Value* const* x) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x[0]); }
Value* infinity(Builder& b) { return llvm::ConstantFP::getInfinity(b.getDoubleTy()); }

constexpr std::array<Emit, scalar_op_count> emitters = [] {
  std::array<Emit, scalar_op_count> table{};
  const auto set = [&](ScalarOp op, Emit emit) { table[static_cast<std::size_t>(op)] = emit; };
  using enum ScalarOp;
  set(add, binary<llvm::Instruction::FAdd>);
  set(sub, binary<llvm::Instruction::FSub>);
  set(mul, binary<llvm::Instruction::FMul>);
  set(div, binary<llvm::Instruction::FDiv>);
  set(neg, [](Builder& b, Value* const* x) -> Value* { return b.CreateFNeg(x[0]); });
  set(abs, absolute);
  set(sqrt, intrinsic<llvm::Intrinsic::sqrt>);
  set(eq, compare<CmpInst::FCMP_OEQ>);
  set(ne, compare<CmpInst::FCMP_UNE>);
  set(lt, compare<CmpInst::FCMP_OLT>);
  set(le, compare<CmpInst::FCMP_OLE>);
  set(gt, compare<CmpInst::FCMP_OGT>);
  set(ge, compare<CmpInst::FCMP_OGE>);
  set(logical_and, logic<llvm::Instruction::And>);
  set(logical_or, logic<llvm::Instruction::Or>);
  set(logical_xor, logic<llvm::Instruction::Xor>);
  set(logical_not, [](Builder& b, Value* const* x) -> Value* { return b.CreateFCmpOEQ(x[0], zero(b)); });
  set(is_nan, [](Builder& b, Value* const* x) -> Value* { return b.CreateFCmpUNO(x[0], x[0]); });
  set(is_inf, [](Builder& b, Value* const* x) -> Value* { return b.CreateFCmpOEQ(absolute(b, x), infinity(b)); });
  set(is_finite, [](Builder& b, Value* const* x) -> Value* { return b.CreateFCmpOLT(absolute(b, x), infinity(b)); });
  set(select, [](Builder& b, Value* const* x) -> Value* { return b.CreateSelect(truth(b, x[0]), x[1], x[2]); });
  return table;
}();

// What kernels compute in a few instructions, to the bit as evaluate_as does.
bool is_kernel_code(ScalarOp op, Element element) {
  switch (op) {
    case ScalarOp::floor:
    case ScalarOp::ceil:
    case ScalarOp::round:
    case ScalarOp::fix:
    case ScalarOp::sign:
    case ScalarOp::min:
    case ScalarOp::max:
    case ScalarOp::bit_and:
    case ScalarOp::bit_or:
    case ScalarOp::bit_xor: return true;
    case ScalarOp::mod:
    case ScalarOp::rem: return element != Element::single;  // which rounds its operands first
    default: return false;
  }
}

}  // namespace

llvm::Type* scalar_type(llvm::LLVMContext& context, Element element) {
  switch (element) {
    case Element::logical: return llvm::Type::getInt1Ty(context);
    case Element::single: return llvm::Type::getFloatTy(context);
    default: return llvm::Type::getDoubleTy(context);
  }
}

Value* to_double(Builder& builder, Value* scalar) {
  if (scalar->getType()->isIntegerTy(1)) return builder.CreateUIToFP(scalar, builder.getDoubleTy());
  return builder.CreateFPCast(scalar, builder.getDoubleTy());
}

Value* from_double(Builder& builder, Value* number, Element element) {
  llvm::Type* type = scalar_type(builder.getContext(), element);
  if (number->getType() == type) return number;
  if (number->getType()->isIntegerTy(1)) return builder.CreateUIToFP(number, type);
  return element == Element::logical ? truth(builder, number) : builder.CreateFPCast(number, type);
}

bool is_inline(ScalarOp op) {
  return is_kernel_code(op, Element::real) || emitters[static_cast<std::size_t>(op)] != nullptr;
}

Value* emit_host_scalar(llvm::IRBuilder<>& builder, const TargetOptions& target, ScalarOp op, Element element,
                        llvm::ArrayRef<Value*> operands, llvm::FunctionCallee evaluate) {
  std::array<Value*, 3> numbers = {zero(builder), zero(builder), zero(builder)};
  for (std::size_t i = 0; i < operands.size(); ++i) numbers[i] = to_double(builder, operands[i]);
  if (is_kernel_code(op, element)) {
    llvm::SmallVector<TypedValue, 3> reals;
    for (std::size_t i = 0; i < operands.size(); ++i) reals.push_back({numbers[i], Element::real});
    return from_double(builder, emit_apply(builder, target, op, Element::real, reals, std::nullopt), element);
  }
  const Emit emit = emitters[static_cast<std::size_t>(op)];
  Value* result = emit ? emit(builder, numbers.data())
                       : builder.CreateCall(evaluate, {builder.getInt32(static_cast<std::uint32_t>(element)),
                                                       builder.getInt32(static_cast<std::uint32_t>(op)), numbers[0],
                                                       numbers[1], numbers[2]});
  return from_double(builder, result, element);
}

}  // namespace lac::codegen
