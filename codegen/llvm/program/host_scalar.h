// Scalar functions of host code: the value of scalar/evaluate.cpp, in LLVM IR.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "codegen/llvm/kernel/emitter.h"
#include "ir/scalar/scalar_op.h"

namespace lac::codegen {

/// logical i1, single float, integer and real double.
llvm::Type* scalar_type(llvm::LLVMContext& context, Element element);
/// The scalar as a double, and a double (or the i1 of a truth value) rounded to an element as `round_to` does.
llvm::Value* to_double(llvm::IRBuilderBase& builder, llvm::Value* scalar);
llvm::Value* from_double(llvm::IRBuilderBase& builder, llvm::Value* number, Element element);

/// Whether the function is a few instructions and not a call.
bool is_inline(ScalarOp op);

/// evaluate_as(element, op, operands...), of operands in double. `evaluate` is lac_evaluate, which is called
/// for functions that are not a few instructions.
llvm::Value* emit_host_scalar(llvm::IRBuilder<>& builder, const TargetOptions& target, ScalarOp op, Element element,
                              llvm::ArrayRef<llvm::Value*> operands, llvm::FunctionCallee evaluate);

}  // namespace lac::codegen
