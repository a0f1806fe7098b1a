// Small kernels (ir/plan/plan.h) whose loops are written out: their vectors are whole columns, as long as those are, or
// several short columns side by side, so that a small matrix is a few vector registers from one kernel to the next.
#pragma once

#include "codegen/llvm/kernel_function.h"

namespace lac::codegen {

/// Whether emit_columns serves the kernel: where loops are written out, without reductions, whose lanes have an order.
bool goes_by_columns(const KernelFunction& f);
/// The kernel's one block, with the bits that NAME computes.
void emit_columns(KernelFunction& f);

/// The elements [first, first + count) of a small matrix that one vector holds; `position` is among them.
struct ColumnVector {
  std::int64_t first = 0;
  unsigned count = 0;
};
ColumnVector column_vector(const Type& matrix, std::int64_t position);

}  // namespace lac::codegen
