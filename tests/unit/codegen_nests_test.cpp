// Kernels of several nests, compiled and uncompiled, beside the kernel interpreter, which runs one nest after the
// other.
#include <catch2/catch.hpp>

#include "tests/unit/kernel_cases.h"
#include "tests/unit/native_kernels.h"

using namespace lac;
using namespace lac::test;

namespace {

/// Around strips of 32 rows or few columns, and blocks of 64.
const std::vector<Sizes>& extents() {
  static const std::vector<Sizes> all = {{{"n", 1}, {"m", 1}},   {{"n", 2}, {"m", 3}},    {{"n", 31}, {"m", 33}},
                                         {{"n", 33}, {"m", 17}}, {{"n", 64}, {"m", 5}},   {{"n", 65}, {"m", 64}},
                                         {{"n", 5}, {"m", 130}}, {{"n", 333}, {"m", 40}}, {{"n", 200}, {"m", 200}}};
  return all;
}

}  // namespace

TEST_CASE("a product and its transposed one over strips of rows") {
  check_native(R"(kernel k0 "gradient" domain [n x m] strips rows rows block 64 lanes 16 strip 1024 width m {
  in A: f64[n x m], x: f64[m x 1], b: f64[n x 1]
  out r: f64[n x 1], s: f64, g: f64[m x 1], c: f64[1 x m]
  nest domain [n x 1] strips rows {
    contract k below m: f64 {
      $0 = load A[i, k]
      $1 = load x[k]
      $2 = mul $0, $1
      sum $2
    }
    $0 = contraction
    $1 = load b[i]
    $2 = sub $0, $1
    $3 = mul $2, $2
    store r[i] = $2
    reduce s = sum all $3
  }
  $0 = load A[i, j]
  $1 = reload r[i]
  $2 = mul $0, $1
  reduce g = sum rows $2
  reduce c = max rows $0
}
)",
               extents());
}

TEST_CASE("softmax over strips of rows, in single precision") {
  check_native(R"(kernel k0 "softmax" domain [n x m] strips rows rows block 64 lanes 16 strip 2048 width m {
  in x: f32[n x m]
  out top: f32[n x 1], at: int[n x 1], e: f32[n x m], s: f32[n x 1], h: f32[n x 1], y: f32[n x m], total: f32
  nest domain [n x m] strips rows {
    $0 = load x[i, j]
    reduce top, at = max cols $0
  }
  nest domain [n x m] strips rows {
    $0 = load x[i, j]
    $1 = reload top[i]
    $2 = sub $0, $1
    $3 = exp $2
    store e[i, j] = $3
    reduce s = sum cols $3
  }
  nest domain [n x 1] strips rows {
    $0 = reload s[i]
    $1: f32 = constant 1
    $2 = div $1, $0
    store h[i] = $2
  }
  $0 = reload e[i, j]
  $1 = reload h[i]
  $2 = mul $0, $1
  store y[i, j] = $2
  reduce total = sum all $2
}
)",
               extents(), 1e-4);
}

TEST_CASE("strips of columns: lines complete in each, sums of rows wait for all of them") {
  check_native(R"(kernel k0 "columns" domain [n x m] strips cols columns block 8 lanes 16 strip 256 width n {
  in A: f64[n x m], v: f64[n x 1], l: logical[n x m]
  out t: f64[m x 1], low: f64[1 x m], y: f64[n x m], u: f64[n x 1], some: logical[n x 1], every: logical[n x 1]
  nest domain [m x 1] strips rows {
    contract k below n: f64 {
      $0 = load A[k, i]
      $1 = load v[k]
      $2 = mul $0, $1
      sum $2
    }
    $0 = contraction
    store t[i] = $0
  }
  nest domain [n x m] strips cols {
    $0 = load A[i, j]
    reduce low = min rows $0
  }
  $0 = load A[i, j]
  $1 = reload t[j]
  $2 = reload low[0, j]
  $3 = mul $0, $1
  $4 = sub $0, $2
  $5 = load l[i, j]
  store y[i, j] = $4
  reduce u = sum cols $3
  reduce some = any cols $5
  reduce every = all cols $5
}
)",
               extents());
}

TEST_CASE("a nest over a row, and a product of single precision behind it") {
  check_native(R"(kernel k0 "scaled" domain [m x 1] strips rows rows block 64 lanes 16 strip 512 width n {
  in A: f32[n x m], v: f32[n x 1]
  out s: f32[1 x m], h: f32[1 x m], p: f32[m x 1], least: f32
  nest domain [n x m] strips cols {
    $0 = load A[i, j]
    $1 = mul $0, $0
    reduce s = sum rows $1
  }
  nest domain [1 x m] strips cols {
    $0 = reload s[i, j]
    $1 = sqrt $0
    store h[i, j] = $1
  }
  contract k below n: f32 {
    $0 = load A[k, i]
    $1 = load v[k]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  $1 = reload h[0, i]
  $2 = add $0, $1
  store p[i] = $2
  reduce least = min all $2
}
)",
               extents(), 1e-4);
}

namespace {

/// Around blocks of 64 and 128 columns, and vectors of 16 rows.
const std::vector<Sizes>& grids() {
  static const std::vector<Sizes> all = [] {
    std::vector<Sizes> sizes;
    for (const std::int64_t m : {1, 2, 3, 63, 64, 65, 66, 127, 128, 129, 130, 257})
      for (const std::int64_t n : {2, 3, 17, 40}) sizes.push_back({{"n", n}, {"m", m}});
    sizes.push_back({{"n", 500}, {"m", 140}});
    return sizes;
  }();
  return all;
}

}  // namespace

TEST_CASE("a stencil follows the nest that makes what it reads") {
  check_native(R"(kernel k0 "p" domain [n x m] strips cols columns block 8 lanes 16 strip 64 width n {
  in r: f32[n x m], p: f32[n x m], beta: f32, last: logical
  out q: f32[n x m], x: f32[n x m], s: f32, most: f32
  nest domain [n x m] strips cols {
    $0 = load beta
    $1 = load p[i, j]
    $2 = mul $0, $1
    $3 = load r[i, j]
    $4 = add $3, $2
    $5 = load last
    $6 = select $5, $4, $1
    store q[i, j] = $6
    reduce most = max all $6
  }
  $0 = reload q[i, j]
  $1 = reload q[i, j - 1] fill 0
  $2 = reload q[i, j + 1] fill 0
  $3 = reload q[i - 1, j] fill 0
  $4 = reload q[i + 1, j] fill 0
  $5 = add $1, $2
  $6 = add $3, $4
  $7 = add $5, $6
  $8 = sub $0, $7
  $9 = mul $0, $8
  store x[i, j] = $8
  reduce s = sum all $9
}
)",
               grids(), 1e-3);
}

TEST_CASE("a stencil that reaches two columns, of two matrices, corners and inputs beside them") {
  check_native(R"(kernel k0 "wide" domain [n x m] strips cols columns block 8 lanes 16 strip 64 width n {
  in u: f64[n x m], v: f64[n x m]
  out a: f64[n x m], b: f64[n x m], y: f64[n x m], s: f64, low: f64
  nest domain [n x m] strips cols {
    $0 = load u[i, j]
    $1 = load v[i, j]
    $2 = mul $0, $1
    $3 = sub $0, $1
    store a[i, j] = $2
    store b[i, j] = $3
  }
  $0 = reload a[i + 1, j - 2] fill 1
  $1 = reload a[i - 1, j + 2] fill 2
  $2 = reload b[i, j + 1] fill 3
  $3 = load v[i, j - 1] fill 4
  $4 = index j
  $5: int = size m - 2
  $6 = lt $4, $5
  $7 = select $6, $1, $3
  $8 = add $0, $7
  $9 = mul $8, $2
  store y[i, j] = $9
  reduce s = sum all $9
  reduce low = min all $8
}
)",
               grids());
}

namespace {

/// What conjugate gradients do with a matrix of known reach, in blocks of so many rows.
std::string product_that_follows(const std::string& element, std::int64_t reach, std::int64_t block) {
  const std::string e = element, band = "band" + std::to_string(reach);
  return "kernel k0 \"p\" domain [n x 1] strips rows rows block " + std::to_string(block) +
         " lanes 16 strip 64 width 1 {\n  in r: " + e + "[n x 1], p: " + e + "[n x 1], beta: " + e + ", " + band +
         ": " + e + "[n x n] csr\n  out z: " + e + "[n x 1], most: " + e + ", q: " + e + "[n x 1], s: " + e + R"(
  nest domain [n x 1] strips rows {
    $0 = load beta
    $1 = load p[i]
    $2 = mul $0, $1
    $3 = load r[i]
    $4 = add $3, $2
    store z[i] = $4
    reduce most = max all $4
  }
  contract k over csr row of )" +
         band + " reach " + std::to_string(reach) + ": " + e + R"( {
    $0 = matrix_element
    $1 = reload z[k]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  $1 = reload z[i]
  $2 = mul $0, $1
  store q[i] = $0
  reduce s = sum all $2
}
)";
}

}  // namespace

TEST_CASE("a product with compressed rows follows the nest that makes what it reads") {
  const std::vector<Sizes> rows = {{{"n", 1}},   {{"n", 2}},   {{"n", 31}},  {{"n", 33}},  {{"n", 64}},
                                   {{"n", 255}}, {{"n", 256}}, {{"n", 257}}, {{"n", 300}}, {{"n", 1000}}};
  for (const std::string element : {"f64", "f32"})
    for (const std::int64_t reach : {1, 15, 16, 32, 60, 70, 400})  // from 70 on all of the product waits
      check_native(product_that_follows(element, reach, 256), rows, element == "f64" ? 1e-11 : 1e-4);
  // Blocks of four vectors, four reaches.
  check_native(product_that_follows("f64", 17, 64), {{{"n", 2000}}, {{"n", 2048}}, {{"n", 2100}}});
  check_native(product_that_follows("f32", 3, 256), rows, 1e-4, "x86-64-v2");
}

TEST_CASE("older instruction sets run nests as well") {
  const std::string text = R"(kernel k0 "mean" domain [n x m] strips rows rows block 64 lanes 16 strip 1024 width m {
  in A: f64[n x m]
  out s: f64[n x 1], y: f64[n x m], p: f64[1 x m]
  nest domain [n x m] strips rows {
    $0 = load A[i, j]
    reduce s = sum cols $0
  }
  $0 = load A[i, j]
  $1 = reload s[i]
  $2 = div $0, $1
  $3 = abs $0
  store y[i, j] = $2
  reduce p = prod rows $3
}
)";
  for (const std::string cpu : {"x86-64", "x86-64-v2", "x86-64-v3"})
    check_native(text, {{{"n", 70}, {"m", 9}}, {{"n", 16}, {"m", 65}}}, 1e-11, cpu);
}
