// Kernels with a contraction, compiled and run on their own: sparse, diagonal and dense products.
#include <catch2/catch.hpp>

#include "tests/unit/kernel_cases.h"
#include "tests/unit/native_kernels.h"

using namespace lac;
using namespace lac::test;

TEST_CASE("sparse products carry their epilogue and dot products along") {
  const std::vector<std::string> storages = {"csr", "diagonal(-1, 0, 1)", "diagonal(-n + 1, -3, 0, 2, n - 1)"};
  for (const std::string element : {"f64", "f32"})
    for (const std::string& storage : storages) {
      const std::string kind = storage == "csr" ? "csr" : "diagonal";
      check_native("kernel k0 \"spmv\" domain [n x 1] rows block 160 lanes 16 {\n  in A: " + element + "[n x n] " +
                       storage + ", p: " + element + "[n x 1], r: " + element + "[n x 1]\n  out q: " + element +
                       "[n x 1], pq: " + element + "\n  contract k over " + kind + " row of A: " + element + R"( {
    $0 = matrix_element
    $1 = load p[k]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  $1 = load p[i]
  $2 = load r[i]
  $3 = sub $2, $0
  $4 = mul $1, $0
  store q[i] = $3
  reduce pq = sum all $4
}
)",
                   {{{"n", 7}}, {{"n", 15}}, {{"n", 16}}, {{"n", 17}}, {{"n", 333}}, {{"n", 1000}}},
                   element == "f64" ? 1e-11 : 1e-4);
    }
}

TEST_CASE("a stored zero contributes nothing, whatever it meets") {
  for (const std::string storage : {"csr", "diagonal(-1, 0, 1)"}) {
    const std::string kind = storage == "csr" ? "csr" : "diagonal";
    check_native("kernel k0 \"spmv\" domain [n x 1] rows block 32 lanes 16 {\n  in A: f64[n x n] " + storage +
                     ", x: f64[n x 1]\n  out q: f64[n x 1]\n  contract k over " + kind + R"( row of A: f64 {
    $0 = matrix_element
    $1 = load x[k]
    $2 = constant 0
    $3 = div $1, $2
    $4 = mul $0, $3
    sum $4
  }
  $0 = contraction
  store q[i] = $0
}
)",
                 {{{"n", 5}}, {{"n", 40}}});
  }
}

TEST_CASE("a row with NaN under a stored zero is summed again with care") {
  for (const std::string storage : {"csr", "diagonal(-1, 0, 1)"}) {
    const std::string kind = storage == "csr" ? "csr" : "diagonal";
    for (const std::string cpu : {"native", "x86-64-v2"})
      check_native("kernel k0 \"spmv\" domain [n x 1] rows block 32 lanes 16 {\n  in A: f32[n x n] " + storage +
                       ", nan: f32[n x 1]\n  out q: f32[n x 1]\n  contract k over " + kind + R"( row of A: f32 {
    $0 = matrix_element
    $1 = load nan[k]
    $2 = mul $1, $0
    sum $2
  }
  $0 = contraction
  store q[i] = $0
}
)",
                   {{{"n", 5}}, {{"n", 12}}, {{"n", 40}}}, 1e-4, cpu);
  }
}

TEST_CASE("a product with many diagonals, a rectangular one, one with a matrix") {
  std::string offsets = "-20";
  for (int offset = -19; offset <= 20; ++offset) offsets += ", " + std::to_string(offset);
  check_native("kernel k0 \"many\" domain [n x 1] rows block 32 lanes 16 {\n  in A: f64[n x n] diagonal(" + offsets +
                   R"(), x: f64[n x 1]
  out q: f64[n x 1]
  contract k over diagonal row of A: f64 {
    $0 = matrix_element
    $1 = load x[k]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  store q[i] = $0
}
)",
               {{{"n", 25}}, {{"n", 100}}});
  for (const std::string storage : {"csr", "diagonal(-1, 0, 2)"}) {
    const std::string kind = storage == "csr" ? "csr" : "diagonal";
    check_native("kernel k0 \"spmm\" domain [n x 3] rows block 32 lanes 16 {\n  in A: f64[n x m] " + storage +
                     ", X: f64[m x 3]\n  out Q: f64[n x 3], s: f64[n x 1]\n  contract k over " + kind +
                     R"( row of A: f64 {
    $0 = matrix_element
    $1 = load X[k, j]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  store Q[i, j] = $0
  reduce s = sum cols $0
}
)",
                 {{{"n", 50}, {"m", 40}}, {{"n", 20}, {"m", 40}}, {{"n", 200}, {"m", 199}}});
  }
}

TEST_CASE("dense products: along rows, along k, and neither") {
  const std::vector<std::string> operands = {"A: f64[n x m], x: f64[m x 1]", "A: f64[m x n], x: f64[m x 1]",
                                             "A: f64[2*n x 2*m], x: f64[m x 1]"};
  const std::vector<std::string> loads = {"A[i, k]", "A[k, i]", "A[2*i + 1, 2*k]"};
  for (std::size_t n = 0; n < operands.size(); ++n)
    for (const std::string extent : {"m", "m - 1"})
      check_native("kernel k0 \"gemv\" domain [n x 1] rows block 160 lanes 16 {\n  in " + operands[n] +
                       ", b: f64[n x 1]\n  out r: f64[n x 1], s: f64\n  contract k below " + extent +
                       ": f64 {\n    $0 = load " + loads[n] + R"(
    $1 = load x[k]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  $1 = load b[i]
  $2 = sub $1, $0
  $3 = mul $2, $2
  store r[i] = $2
  reduce s = sum all $3
}
)",
                   shapes());
}

TEST_CASE("dense products go by columns over several blocks, to the last row") {
  std::vector<Sizes> sizes;
  for (const std::int64_t n : {63, 64, 65, 71, 72, 257, 3839, 3840, 3841, 4100, 8001})
    for (const std::int64_t m : {0, 1, 3, 4, 9}) sizes.push_back({{"n", n}, {"m", m}});
  for (const std::string element : {"f64", "f32"})
    for (const std::string cpu : {"native", "x86-64-v2", "x86-64-v3"}) {
      const std::string vector = element + "[m x 1]", result = element + "[n x 1]";
      check_native("kernel k0 \"pair\" domain [n x 1] rows block 256 lanes 16 {\n  in A: " + element +
                       "[n x m], x: " + vector + ", y: " + vector + ", b: " + result + "\n  out u: " + result +
                       ", v: " + result + ", s: " + element + "\n  contract k below m: " + element + R"( {
    $0 = load A[i, k]
    $1 = load x[k]
    $2 = mul $0, $1
    $3 = load y[k]
    $4 = mul $0, $3
    sum $2, $4
  }
  $0 = contraction
  $1 = contraction 1
  $2 = load b[i]
  $3 = sub $1, $2
  $4 = mul $3, $3
  store u[i] = $0
  store v[i] = $3
  reduce s = sum all $4
}
)",
                   sizes, element == "f64" ? 1e-11 : 1e-3, cpu);
    }
}

TEST_CASE("dense products in single precision, of one row, of two matrices") {
  check_native(R"(kernel k0 "gemv" domain [n x 1] rows block 256 lanes 16 {
  in A: f32[n x m], x: f32[m x 1]
  out r: f32[n x 1]
  contract k below m: f32 {
    $0 = load A[i, k]
    $1 = load x[k]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  store r[i] = $0
}
)",
               shapes(), 1e-4);
  check_native(R"(kernel k0 "row" domain [1 x n] rows block 32 lanes 16 {
  in A: f64[m x n], x: f64[1 x m]
  out r: f64[1 x n]
  contract k below m: f64 {
    $0 = load A[k, j]
    $1 = load x[0, k]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  store r[0, j] = $0
}
)",
               shapes());
  check_native(R"(kernel k0 "gemm" domain [n x m] columns block 256 lanes 16 {
  in A: f64[n x m], B: f64[m x m]
  out C: f64[n x m], s: f64[1 x m]
  contract k below m: f64 {
    $0 = load A[i, k]
    $1 = load B[k, j]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  store C[i, j] = $0
  reduce s = sum rows $0
}
)",
               shapes());
}

TEST_CASE("products with one matrix are sums of one contraction") {
  struct Form {
    std::string matrix, contraction, element;
  };
  const std::vector<Form> forms = {
      {"f64[n x n]", "below n", "load A[i, k]"},
      {"f64[n x n]", "below n", "load A[k, i]"},
      {"f64[n x n] csr", "over csr row of A", "matrix_element"},
      {"f64[n x n] diagonal(-1, 0, 2)", "over diagonal row of A", "matrix_element"},
  };
  for (const Form& form : forms)
    for (const std::string cpu : {"native", "x86-64-v2"})
      check_native("kernel k0 \"pair\" domain [n x 1] rows block 160 lanes 16 {\n  in A: " + form.matrix +
                       ", x: f64[n x 1], y: f64[n x 1]\n  out u: f64[n x 1], v: f64[n x 1], s: f64\n  contract k " +
                       form.contraction + ": f64 {\n    $0 = " + form.element + R"(
    $1 = load x[k]
    $2 = mul $0, $1
    $3 = load y[k]
    $4 = mul $0, $3
    $5 = mul $4, $1
    sum $2, $4, $5
  }
  $0 = contraction 1
  $1 = contraction
  $2 = sub $0, $1
  $3 = contraction 2
  $4 = mul $2, $3
  store u[i] = $1
  store v[i] = $0
  reduce s = sum all $4
}
)",
                   {{{"n", 1}}, {{"n", 7}}, {{"n", 16}}, {{"n", 17}}, {{"n", 333}}, {{"n", 1000}}}, 1e-11, cpu);
}

TEST_CASE("a row of csr is summed again for all of its sums") {
  check_native(R"(kernel k0 "pair" domain [n x 1] rows block 32 lanes 16 {
  in A: f64[n x n] csr, nan: f64[n x 1], x: f64[n x 1]
  out u: f64[n x 1], v: f64[n x 1]
  contract k over csr row of A: f64 {
    $0 = matrix_element
    $1 = load x[k]
    $2 = mul $0, $1
    $3 = load nan[k]
    $4 = mul $3, $0
    sum $2, $4
  }
  $0 = contraction
  $1 = contraction 1
  store u[i] = $0
  store v[i] = $1
}
)",
               {{{"n", 5}}, {{"n", 12}}, {{"n", 40}}});
}
