#include "runtime/steps/sparse/substitution.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

namespace lac::runtime {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Entry {
  std::int32_t row, col;
  double value;
};

/// 3 x 3, entries in the order of rows; zeros are stored.
Tensor matrix_of(const std::vector<Entry>& entries) {
  Tensor a = Tensor::csr(Element::real, 3, 3, static_cast<std::int64_t>(entries.size()));
  for (std::size_t k = 0; k < entries.size(); ++k) {
    a.mutable_column_indices()[k] = entries[k].col;
    a.set_stored_value(static_cast<std::int64_t>(k), entries[k].value);
    for (std::int32_t row = entries[k].row; row < 3; ++row) ++a.mutable_row_pointers()[row + 1];
  }
  return a;
}

std::vector<double> solved(const Tensor& a, const std::vector<double>& b) {
  const auto triangle = Substitution::of(a);
  REQUIRE(triangle);
  const Tensor x = triangle->solve(Tensor::dense(Element::real, 3, 1, b));
  return {x.at(0, 0), x.at(1, 0), x.at(2, 0)};
}

TEST_CASE("triangles are solved from their own end") {
  CHECK(solved(matrix_of({{0, 0, 2}, {1, 0, 1}, {1, 1, 4}, {2, 1, 2}, {2, 2, 8}}), {2, 5, 10}) ==
        std::vector<double>{1, 1, 1});
  CHECK(solved(matrix_of({{0, 0, 2}, {0, 2, 1}, {1, 1, 4}, {1, 2, 2}, {2, 2, 8}}), {3, 6, 8}) ==
        std::vector<double>{1, 1, 1});
}

TEST_CASE("what is stored and zero is not there, on either side and whatever it meets") {
  const Tensor lower = matrix_of({{0, 0, 2}, {0, 2, 0}, {1, 0, 1}, {1, 1, 4}, {2, 1, 0}, {2, 2, 8}});
  CHECK(solved(lower, {1, 2, infinity}) == std::vector<double>{0.5, 0.375, infinity});
  CHECK(solved(lower, {1, infinity, 8}) == std::vector<double>{0.5, infinity, 1});
}

TEST_CASE("what is no triangle with numbers on its diagonal is left to others") {
  CHECK(!Substitution::of(matrix_of({{0, 0, 2}, {1, 1, 4}, {2, 2, 8}})));                        // diagonal
  CHECK(!Substitution::of(matrix_of({{0, 0, 2}, {0, 1, 1}, {1, 0, 1}, {1, 1, 4}, {2, 2, 8}})));  // both sides
  CHECK(!Substitution::of(matrix_of({{0, 0, 2}, {1, 0, 1}, {1, 1, 0}, {2, 2, 8}})));             // singular
  CHECK(!Substitution::of(matrix_of({{0, 0, 2}, {1, 0, 1}, {2, 2, 8}})));                        // the same
  CHECK(!Substitution::of(matrix_of({{0, 0, 2}, {1, 0, infinity}, {1, 1, 4}, {2, 2, 8}})));
}

}  // namespace
}  // namespace lac::runtime
