// Small kernels (ir/plan/plan.h) whose loops are written out: their vectors are whole columns, as long as those are, or
// several short columns side by side, so that a small matrix is a few vector registers from one kernel to the next.
#pragma once

#include <cstdint>
#include <optional>

#include "codegen/llvm/kernel/function.h"

namespace lac::codegen {

/// Whether emit_columns serves the kernel: where loops are written out, without reductions, whose lanes have an order.
bool goes_by_columns(const KernelFunction& f);
/// The kernel's one block, with the bits that NAME computes.
void emit_columns(KernelFunction& f);

/// Where lanes lie in a matrix, known here; -1 of those that do not exist.
using KnownPositions = llvm::SmallVector<std::int64_t, 16>;
/// Of `positions` (null, or a vector of i64) and the mask of the lanes that exist (null: all do).
std::optional<KnownPositions> known_positions(const Value* positions, const Value* mask, unsigned lanes);
bool are_neighbours(const KnownPositions& positions);
/// The elements of a small matrix there, as they lie in memory, and `fill` in lanes that do not exist: neighbours by
/// one load, others out of the vectors that hold the matrix, so that what was stored as these never goes through
/// memory.
Value* load_known(KernelFunction& f, const Type& matrix, Value* base, const KnownPositions& positions, double fill);

}  // namespace lac::codegen
