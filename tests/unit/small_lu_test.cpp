// LU of small matrices: every size, against the factorisation as textbooks have it; the same bits from all vector code.
#include "runtime/steps/dense/small_lu.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace lac;
using namespace lac::runtime;

namespace {

template <class T>
std::vector<T> numbers(int count, unsigned seed) {
  std::vector<T> result;
  for (int k = 0; k < count; ++k) {
    seed = seed * 1664525U + 1013904223U;
    result.push_back(static_cast<T>(static_cast<double>(seed >> 8) / 0x1p24 - 0.5));
  }
  return result;
}

/// In place; the exchanges from 1.
template <class T>
std::vector<int> factor_plainly(std::vector<T>& a, int n) {
  std::vector<int> pivots;
  const auto at = [&](int i, int j) -> T& { return a[static_cast<std::size_t>(j * n + i)]; };
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(at(i, k)) > std::abs(at(pivot, k))) pivot = i;
    pivots.push_back(pivot + 1);
    if (at(pivot, k) == 0) continue;
    for (int j = 0; j < n; ++j) std::swap(at(k, j), at(pivot, j));
    const T reciprocal = T(1) / at(k, k);
    for (int i = k + 1; i < n; ++i) {
      at(i, k) *= reciprocal;
      for (int j = k + 1; j < n; ++j) at(i, j) = std::fma(-at(i, k), at(k, j), at(i, j));
    }
  }
  return pivots;
}

std::vector<VectorIsa> machines() {
  std::vector<VectorIsa> found;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) found.push_back(VectorIsa::avx2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
    found.push_back(VectorIsa::avx512f);
  return found;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <class T>
T norm1(const std::vector<T>& a, int n) {
  T norm = 0;
  for (int j = 0; j < n; ++j) {
    T sum = 0;
    for (int i = 0; i < n; ++i) sum += std::abs(a[static_cast<std::size_t>(j * n + i)]);
    norm = std::max(norm, sum);
  }
  return norm;
}

/// A matrix all of whose pivots have equals, so that it shows which is taken.
template <class T>
std::vector<T> of_ties(int n) {
  std::vector<T> a;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) a.push_back(static_cast<T>((i * j + i) % 3 - 1));
  return a;
}

}  // namespace

TEMPLATE_TEST_CASE("factors have the bits of plain elimination, on every machine", "", float, double) {
  for (const VectorIsa isa : machines())
    for (int n = 1; n <= most_of_small_lu; ++n)
      for (const std::vector<TestType>& a : {numbers<TestType>(n * n, 7U * n), of_ties<TestType>(n)}) {
        INFO(n << " unknowns, vectors of " << vector_bytes(isa) << " bytes");
        std::vector<TestType> expected = a, found(a.size());
        const std::vector<int> pivots = factor_plainly(expected, n);
        SmallLu<TestType> lu(isa);
        REQUIRE(lu.factor(n, a.data()));
        lu.store(found.data());
        CHECK(std::vector<int>(lu.pivots(), lu.pivots() + n) == pivots);
        CHECK(same_bits(found, expected));
      }
}

TEMPLATE_TEST_CASE("solutions and conditions are the same on every machine", "", float, double) {
  for (int n = 1; n <= most_of_small_lu; ++n) {
    std::vector<TestType> a = numbers<TestType>(n * n, 3U * n), b = numbers<TestType>(n * 7, 5U * n), first;
    for (int i = 0; i < n; ++i) a[static_cast<std::size_t>(i * n + i)] += 2;
    TestType condition = 0;
    for (const VectorIsa isa : machines()) {
      INFO(n << " unknowns, vectors of " << vector_bytes(isa) << " bytes");
      SmallLu<TestType> lu(isa);
      REQUIRE(lu.factor(n, a.data()));
      std::vector<TestType> x = b, inverse(a.size());
      lu.solve(7, x.data(), x.data());  // in place, four columns and three
      for (int j = 0; j < 7; ++j)
        for (int i = 0; i < n; ++i) {
          TestType rest = b[static_cast<std::size_t>(j * n + i)];
          for (int k = 0; k < n; ++k)
            rest -= a[static_cast<std::size_t>(k * n + i)] * x[static_cast<std::size_t>(j * n + k)];
          REQUIRE(std::abs(rest) < 500 * std::numeric_limits<TestType>::epsilon());
        }
      for (int i = 0; i < n; ++i) inverse[static_cast<std::size_t>(i * n + i)] = 1;
      lu.solve(n, inverse.data(), inverse.data());
      const TestType exact = 1 / (norm1(a, n) * norm1(inverse, n));
      const TestType estimate = lu.reciprocal_condition(norm1(a, n));
      CHECK(estimate >= exact * TestType(0.999));  // what is estimated from below is the norm of the inverse
      CHECK(estimate <= exact * 3);
      CHECK(lu.is_surely_regular(a.data()));
      if (first.empty()) {
        first = x;
        condition = estimate;
      }
      CHECK(same_bits(x, first));
      CHECK(estimate == condition);
    }
  }
}

TEMPLATE_TEST_CASE("zero pivots are numbered, and nothing else is Inf or NaN", "", float, double) {
  for (const VectorIsa isa : machines())
    for (const int n : {1, 2, 5, 8, 13, 16, 17, 33, 40}) {
      INFO(n << " unknowns, vectors of " << vector_bytes(isa) << " bytes");
      std::vector<TestType> a = numbers<TestType>(n * n, 11U * n);
      SmallLu<TestType> lu(isa);
      REQUIRE(lu.factor(n, a.data()));
      CHECK(lu.zero_pivot() == 0);
      CHECK(lu.has_sure_pivots());
      for (int i = 0; i < n; ++i) a[static_cast<std::size_t>((n - 1) * n + i)] = 0;
      REQUIRE(lu.factor(n, a.data()));
      CHECK(lu.zero_pivot() == n);
      CHECK(lu.reciprocal_condition(1) == 0);
      CHECK_FALSE(lu.is_surely_regular(a.data()));
      CHECK_FALSE(lu.has_sure_pivots());
      for (const TestType wrong :
           {std::numeric_limits<TestType>::infinity(), std::numeric_limits<TestType>::quiet_NaN()}) {
        a[static_cast<std::size_t>(n / 2)] = wrong;
        CHECK_FALSE(lu.factor(n, a.data()));
      }
    }
  SmallLu<TestType> none(VectorIsa::sse2);
  const TestType one = 1;
  CHECK_FALSE(none.factor(1, &one));
}

TEMPLATE_TEST_CASE("what is near a singular matrix is not surely regular", "", float, double) {
  const TestType near = 16 * std::numeric_limits<TestType>::epsilon();
  for (const VectorIsa isa : machines())
    for (const int n : {2, 5, 8, 16, 17, 40}) {
      INFO(n << " unknowns, vectors of " << vector_bytes(isa) << " bytes");
      std::vector<TestType> a = numbers<TestType>(n * n, 13U * n);
      for (int i = 0; i < n; ++i) {
        a[static_cast<std::size_t>(i * n + i)] += 2;
        TestType& last = a[static_cast<std::size_t>((n - 1) * n + i)];
        last = a[static_cast<std::size_t>(i)] + near * last;
      }
      SmallLu<TestType> lu(isa);
      REQUIRE(lu.factor(n, a.data()));
      CHECK_FALSE(lu.is_surely_regular(a.data()));
    }
}
