// What a step of the host is called and moves, for KernelStatistics.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "ir/graph/graph.h"
#include "ir/plan/abi.h"
#include "runtime/steps/library.h"

namespace lac::runtime {

/// "sort", "random".
std::string step_name(OpKind kind, const Attribute& attribute);
inline std::int64_t moved_bytes(const abi::Work& work) {
  return work.matrix_read + work.vector_read + work.matrix_written + work.vector_written;
}

/// Adds the bytes of operands and dense results, scalars left out: what is sparse or has more than one row and column
/// is a matrix, all else a vector.
void add_step_work(abi::Work& work, std::span<const Tensor> operands, std::span<const ResultType> results);

}  // namespace lac::runtime
