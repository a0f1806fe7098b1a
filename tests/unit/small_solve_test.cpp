#include "runtime/steps/dense/small_solve.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "runtime/steps/library.h"
#include "runtime/tensor/tensor.h"

using namespace lac;
using namespace lac::runtime;

namespace {

using Elements = std::vector<double>;

Elements product(const Elements& a, const Elements& x, std::int64_t n, std::int64_t m) {
  Elements b(static_cast<std::size_t>(n * m), 0);
  for (std::int64_t j = 0; j < m; ++j)
    for (std::int64_t k = 0; k < n; ++k)
      for (std::int64_t i = 0; i < n; ++i)
        b[static_cast<std::size_t>(j * n + i)] +=
            a[static_cast<std::size_t>(k * n + i)] * x[static_cast<std::size_t>(j * n + k)];
  return b;
}

/// 1/cond(A) as LAPACK estimates it, which decides whether somebody is warned.
double estimated(const Elements& a, std::int64_t n) {
  const std::vector<Tensor> operands = {Tensor::dense(Element::real, n, n, a), Tensor::scalar(1)};
  const std::vector<ResultType> results = {{Element::real, Storage::dense, n, n},
                                           {Element::real, Storage::dense, 1, 1}};
  std::vector<LibraryWarning> warnings;
  return run_library(LibraryFn::inverse, operands, results, warnings, {}).value()[1].as_scalar();
}

}  // namespace

TEST_CASE("systems of a few unknowns are solved where no warning is near") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int solved = 0, left = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const std::int64_t n = 1 + trial % 8, m = 1 + trial % 3;
    const double tiny = std::pow(10.0, -(trial % 18));
    Elements a(static_cast<std::size_t>(n * n)), x(static_cast<std::size_t>(n * m));
    for (double& element : a) element = uniform(random);
    for (double& element : x) element = uniform(random);
    // The last row is nearly the first.
    for (std::int64_t j = 0; j < n && n > 1; ++j)
      a[static_cast<std::size_t>(j * n + n - 1)] =
          a[static_cast<std::size_t>(j * n)] + tiny * a[static_cast<std::size_t>(j * n + n - 1)];
    const Elements b = product(a, x, n, m);
    Elements found(b.size(), -1);
    if (!solve_small(a.data(), b.data(), found.data(), n, m)) {
      CHECK(std::ranges::all_of(found, [](double element) { return element == -1; }));
      ++left;
      continue;
    }
    ++solved;
    const double rcond = estimated(a, n);
    CHECK(rcond > 8 * std::numeric_limits<double>::epsilon());
    for (std::size_t k = 0; k < x.size(); ++k) CHECK(std::abs(found[k] - x[k]) < 1e-13 / rcond);
  }
  CHECK(solved > 2000);
  CHECK(left > 400);
}

TEST_CASE("small triangles are solved by substitution, exactly where numbers are integers") {
  const Elements lower = {2, 3, -1, 0, 5, 7, 0, 0, 10}, upper = {2, 0, 0, 3, 5, 0, -1, 7, 10};
  const Elements x = {4, -2, 9};
  for (const Elements& a : {lower, upper}) {
    Elements b = product(a, x, 3, 1);
    REQUIRE(solve_small(a.data(), b.data(), b.data(), 3, 1));  // in place
    CHECK(b == x);
  }
}

TEST_CASE("small systems that are singular or not finite are left to LAPACK") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const Elements b = {1, 2};
  Elements x = {0, 0};
  for (const Elements& a : {Elements{1, 2, 2, 4}, Elements{0, 0, 0, 0}, Elements{1, nan, 2, 3}, Elements{1, 2, inf, 3},
                            Elements{0, 0, 1, 1}, Elements{1e-320, 0, 0, 1}})
    CHECK_FALSE(solve_small(a.data(), b.data(), x.data(), 2, 1));
  const Elements exchanged = {0, 1, 1, 0};
  REQUIRE(solve_small(exchanged.data(), b.data(), x.data(), 2, 1));
  CHECK(x == Elements{2, 1});
}

TEST_CASE("zeros of small positive definite systems have Cholesky's signs") {
  const Elements a = {1, 2, 2, 5}, b = {1, 2};
  Elements x = {0, 0};
  REQUIRE(solve_small(a.data(), b.data(), x.data(), 2, 1));
  CHECK(x == Elements{1, 0});
  CHECK_FALSE(std::signbit(x[1]));
  const Elements indefinite = {1, 2, 2, 1};
  REQUIRE(solve_small(indefinite.data(), b.data(), x.data(), 2, 1));
  CHECK(x == Elements{1, 0});
}
