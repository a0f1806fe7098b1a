#include "tests/unit/kernel_data.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "ir/graph/parse_text.h"
#include "runtime/tensor/convert.h"

namespace lac::test {

using runtime::Tensor;

Graph parse_kernel(const std::string& kernel) {
  const Result<Graph> graph = parse_graph(
      "graph \"g\" f64\nsymbol n rows 0 lower 2\nsymbol m rows 1 lower 2\nparameter x: f64[n x 1]\n"
      "parameter y: f64[m x 1]\n\n" +
      kernel);
  if (!graph) FAIL(graph.failure().message);
  REQUIRE(graph.value().kernels.size() == 1);
  return graph.value();
}

Tensor KernelData::tensor(const Type& type, const std::string& name, const SizeOf& size_of) {
  const std::int64_t rows = size_of(type.rows), cols = size_of(type.cols);
  if (type.storage == Storage::csr) return sparse(type, rows, cols, name);
  if (type.storage == Storage::dense) return matrix(type, rows, cols, name, 0.1);
  std::vector<std::int64_t> offsets;
  for (const Size& offset : type.offsets) offsets.push_back(size_of(offset));
  Tensor tensor = Tensor::diagonal(type.element, rows, cols, offsets);
  for (std::size_t d = 0; d < offsets.size(); ++d)
    for (std::int64_t i = 0; i < rows; ++i) {
      const std::int64_t j = i + offsets[d];
      if (j >= 0 && j < cols)
        tensor.set_stored_value(static_cast<std::int64_t>(d) * rows + i, number(type.element, name, 0.1));
    }
  return tensor;
}

Tensor KernelData::matrix(const Type& type, std::int64_t rows, std::int64_t cols, const std::string& name,
                          double zeros) {
  std::vector<double> values(static_cast<std::size_t>(rows * cols));
  for (double& value : values) {
    value = number(type.element, name, zeros);
    if (name == "position") value = static_cast<double>(1 + generator_() % static_cast<std::uint64_t>(rows * cols));
  }
  return Tensor::dense(type.element, rows, cols, values);
}

// With empty rows and, among the stored values, zeros.
Tensor KernelData::sparse(const Type& type, std::int64_t rows, std::int64_t cols, const std::string& name) {
  Tensor full = matrix(type, rows, cols, name, 0.7);
  if (name.starts_with("band")) {
    const std::int64_t reach = std::stoll(name.substr(4));
    for (std::int64_t k = 0; k < rows * cols; ++k)
      if (std::abs(k % rows - k / rows) > reach) full.set_stored_value(k, 0);
  }
  Tensor tensor = runtime::to_csr(full);
  for (std::int64_t k = 0; k < tensor.stored(); k += 5) tensor.set_stored_value(k, 0);
  return tensor;
}

double KernelData::number(Element element, const std::string& name, double zeros) {
  if (std::uniform_real_distribution<>(0, 1)(generator_) < zeros) return 0;
  if (name == "nan" && generator_() % 4 == 0) return std::numeric_limits<double>::quiet_NaN();
  if (element == Element::logical) return 1;
  if (element == Element::integer) return static_cast<double>(generator_() % 7) - 3;
  return std::normal_distribution<>(0, 1)(generator_);
}

void check_close(const Tensor& actual, const Tensor& expected, double tolerance) {
  REQUIRE(actual.stored() == expected.stored());
  int shown = 0;
  for (std::int64_t k = 0; k < actual.stored() && shown < 5; ++k) {
    const double a = actual.stored_value(k), e = expected.stored_value(k);
    const bool same = a == e || (std::isnan(a) && std::isnan(e)) || std::abs(a - e) <= tolerance * (1 + std::abs(e));
    if (same) continue;
    ++shown;
    FAIL_CHECK("element " << k << ": " << a << " instead of " << e);
  }
}

}  // namespace lac::test
