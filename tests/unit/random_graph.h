// Random programs over small integers, for comparing one way of running a graph with another. Integers make every sum
// exact, so that results must be equal, not close.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/graph/graph.h"
#include "runtime/run.h"
#include "runtime/tensor/tensor.h"

namespace lac::test {

struct RandomProgram {
  Graph graph;
  std::vector<runtime::Tensor> parameters;
};

/// The same program for the same seed, its reals of this element. It uses elementwise functions, views, subscripts,
/// updates, reductions, products with dense and sparse matrices, concatenations, loops and branches.
RandomProgram random_program(std::uint32_t seed, int length, Element element = Element::real);

/// What first tells two runs apart: message, number of outputs, or an output's shape, element or value (NaN equals
/// NaN). Empty when nothing does.
std::string difference(const runtime::RunResult& a, const runtime::RunResult& b);

}  // namespace lac::test
