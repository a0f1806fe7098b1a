// What a step of the host moves, for KernelStatistics.
#pragma once

#include <span>

#include "ir/plan/abi.h"
#include "runtime/library/library.h"

namespace lac::runtime {

/// Adds the bytes of operands and dense results, scalars left out: what is sparse or has more than one row and column
/// is a matrix, all else a vector.
void add_step_work(abi::Work& work, std::span<const Tensor> operands, std::span<const ResultType> results);

}  // namespace lac::runtime
