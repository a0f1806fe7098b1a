#include "runtime/steps/dense/small_inverse.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "runtime/steps/library.h"
#include "runtime/tensor/tensor.h"

using namespace lac;
using namespace lac::runtime;

namespace {

using Elements = std::vector<double>;

struct General {
  Elements inverse;
  double determinant, rcond;
};

/// What the steps of the library give.
General general(const Elements& a, std::int64_t n) {
  const std::vector<Tensor> matrix = {Tensor::dense(Element::real, n, n, a)};
  const std::vector<Tensor> quiet = {matrix[0], Tensor::scalar(1)};
  const ResultType number = {Element::real, Storage::dense, 1, 1};
  const std::vector<ResultType> of_inverse = {{Element::real, Storage::dense, n, n}, number}, of_det = {number, number};
  std::vector<LibraryWarning> warnings;
  const std::vector<Tensor> inverse = run_library(LibraryFn::inverse, quiet, of_inverse, warnings, {}).value();
  const std::vector<Tensor> det = run_library(LibraryFn::det, matrix, of_det, warnings, {}).value();
  const auto* values = inverse[0].values<double>();
  return {Elements(values, values + n * n), det[0].as_scalar(), inverse[1].as_scalar()};
}

bool same_bits(const Elements& a, const Elements& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// Of a kind by its number: full, upper, lower, positive definite.
Elements matrix_of(int kind, std::int64_t n, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Elements a(static_cast<std::size_t>(n * n));
  const auto at = [&](std::int64_t i, std::int64_t j) -> double& { return a[static_cast<std::size_t>(j * n + i)]; };
  for (double& element : a) element = uniform(random);
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i < n; ++i) {
      if ((kind == 1 && i > j) || (kind == 2 && i < j)) at(i, j) = 0;
      if (kind == 3) at(i, j) = i == j ? 3 + static_cast<double>(n) : (i > j ? at(i, j) : at(j, i));
    }
  if (kind == 3)
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i < j; ++i) at(i, j) = at(j, i);
  return a;
}

}  // namespace

TEST_CASE("what few rows give has the bits of the steps, which nobody would be warned of") {
  std::mt19937 random(11);
  int inverted = 0, determined = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const std::int64_t n = 1 + trial % 8;
    const Elements a = matrix_of(trial / 8 % 4, n, random);
    const General expected = general(a, n);
    Elements found(a.size(), -1);
    if (invert_few(a.data(), found.data(), n)) {
      ++inverted;
      CHECK(same_bits(found, expected.inverse));
      CHECK(expected.rcond > std::numeric_limits<double>::epsilon());
    }
    double determinant = -1;
    if (!determinant_of_few(a.data(), determinant, n)) continue;
    ++determined;
    CHECK(determinant == expected.determinant);
  }
  CHECK(inverted > 2500);  // without the vector code of LU three kinds of the four are left
  CHECK(determined > 2500);
}

TEST_CASE("what is near singular, or holds NaN or Inf, is left as it was") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const Elements matrices[] = {{1, 2, 2, 4},   {1, 0, nan, 2},   {1, nan, 0, 2},       {2, nan, nan, 3},
                               {1, 0, inf, 2}, {1, inf, inf, 2}, {1, 1, 1, 1 + 4e-16}, {1e300, 0, 0, 1e-300},
                               {nan, 2, 3, 4}, {0, 0, 0, 0}};
  for (const Elements& a : matrices) {
    Elements found(4, -1);
    CHECK(!invert_few(a.data(), found.data(), 2));
    CHECK(std::ranges::all_of(found, [](double element) { return element == -1; }));
  }
}
