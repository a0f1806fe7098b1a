// Inputs for kernels that are tested on their own, and how their outputs are compared.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>

#include "ir/graph/graph.h"
#include "runtime/tensor/tensor.h"

namespace lac::test {

using Sizes = std::map<std::string, std::int64_t>;  ///< by the symbols' names
using SizeOf = std::function<std::int64_t(const Size&)>;

/// A graph with symbols n and m and one kernel, given as text.
Graph parse_kernel(const std::string& kernel);

/// Random inputs: with zeros, ties, and now and then NaN where the input is called "nan"; "position" holds positions in
/// itself, and the entries of a sparse "band7" are at most 7 beside the diagonal. The same ones in every run.
class KernelData {
 public:
  runtime::Tensor tensor(const Type& type, const std::string& name, const SizeOf& size_of);

 private:
  runtime::Tensor matrix(const Type& type, std::int64_t rows, std::int64_t cols, const std::string& name, double zeros);
  runtime::Tensor sparse(const Type& type, std::int64_t rows, std::int64_t cols, const std::string& name);
  double number(Element element, const std::string& name, double zeros);

  std::mt19937_64 generator_{42};
};

/// Fails the test where an element is not within tolerance * (1 + |expected|); NaN equals NaN.
void check_close(const runtime::Tensor& actual, const runtime::Tensor& expected, double tolerance);

}  // namespace lac::test
