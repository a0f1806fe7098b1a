// Random programs over small integers, for comparing one way of running a graph with another. Integers make every sum
// exact, so that results must be equal, not close.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/graph/graph.h"
#include "runtime/tensor/tensor.h"

namespace lac::test {

struct RandomProgram {
  Graph graph;
  std::vector<runtime::Tensor> parameters;
};

/// The same program for the same seed. It uses elementwise functions, views, subscripts, updates, reductions, products
/// with dense and sparse matrices, concatenations, loops and branches.
RandomProgram random_program(std::uint32_t seed, int length);

}  // namespace lac::test
