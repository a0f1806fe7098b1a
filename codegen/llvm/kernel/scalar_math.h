// The scalar functions as LLVM IR, over single values or vectors of any length.
//
// Elements in registers: logical is i1, integer and real are double, single is float. Semantics are those of
// `evaluate` (ir/scalar): arithmetic is bit-exact, functions are within an ulp or two of it.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <optional>

#include "codegen/llvm/kernel/emitter.h"

namespace lac::codegen {

/// The register type of one element.
llvm::Type* register_type(llvm::LLVMContext& context, Element element);
/// The type in memory: as register_type, but logical is i8.
llvm::Type* memory_type(llvm::LLVMContext& context, Element element);
/// `lanes` of them; the scalar type itself for lanes = 1.
llvm::Type* with_lanes(llvm::Type* type, unsigned lanes);
/// The lanes of a value; 1 for a scalar.
unsigned lane_count(llvm::Value* value);

struct TypedValue {
  llvm::Value* value = nullptr;
  Element element = Element::real;
};

/// To a register of element `to`; single rounds, logical is `value != 0` (so NaN is true).
llvm::Value* emit_convert(llvm::IRBuilder<>& builder, TypedValue value, Element to);

/// `op` over operands of any elements and one lane count, rounded to `element` as evaluate_as rounds.
/// Vectors must have 16 lanes or divide into the target's native vectors. `exponent`: the number that the second
/// operand of a power always is, if it is one.
llvm::Value* emit_apply(llvm::IRBuilder<>& builder, const TargetOptions& target, ScalarOp op, Element element,
                        llvm::ArrayRef<TypedValue> operands, std::optional<double> exponent = {});

/// One step of a reduction on registers of one type: `combine` (ir/graph/attributes.h).
llvm::Value* emit_combine(llvm::IRBuilder<>& builder, ReduceOp op, llvm::Value* accumulator, llvm::Value* value);

}  // namespace lac::codegen
