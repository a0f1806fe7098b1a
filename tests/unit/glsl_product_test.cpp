// Kernels with a contraction, as shaders on a device against the kernel interpreter.
#include <catch2/catch.hpp>

#include "tests/unit/device_kernels.h"
#include "tests/unit/kernel_cases.h"

using lac::test::check_on_device;
using lac::test::shapes;
using lac::test::Sizes;

namespace {

double tolerance(const std::string& element) { return element == "f64" ? 1e-11 : 2e-4; }

}  // namespace

TEST_CASE("sparse products carry their epilogue and dot products along") {
  const std::vector<std::string> storages = {"csr", "diagonal(-1, 0, 1)", "diagonal(-n + 1, -3, 0, 2, n - 1)"};
  for (const std::string element : {"f64", "f32"})
    for (const std::string& storage : storages) {
      const std::string kind = storage == "csr" ? "csr" : "diagonal";
      check_on_device("kernel k0 \"spmv\" domain [n x 1] {\n  in A: " + element + "[n x n] " + storage +
                          ", p: " + element + "[n x 1], r: " + element + "[n x 1]\n  out q: " + element +
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
                      {{{"n", 7}}, {{"n", 16}}, {{"n", 100}}, {{"n", 333}}, {{"n", 1000}}}, tolerance(element));
    }
}

TEST_CASE("a stored zero contributes nothing, whatever it meets") {
  for (const std::string storage : {"csr", "diagonal(-1, 0, 1)"}) {
    const std::string kind = storage == "csr" ? "csr" : "diagonal";
    check_on_device("kernel k0 \"spmv\" domain [n x 1] {\n  in A: f32[n x n] " + storage +
                        ", nan: f32[n x 1]\n  out q: f32[n x 1]\n  contract k over " + kind + R"( row of A: f32 {
    $0 = matrix_element
    $1 = load nan[k]
    $2 = constant inf
    $3 = mul $1, $2
    $4 = mul $0, $3
    sum $4
  }
  $0 = contraction
  store q[i] = $0
}
)",
                    {{{"n", 5}}, {{"n", 40}}}, 1e-4);
  }
}

TEST_CASE("many diagonals, a rectangular matrix, a product with several columns") {
  std::string offsets = "-20";
  for (int offset = -19; offset <= 20; ++offset) offsets += ", " + std::to_string(offset);
  check_on_device("kernel k0 \"many\" domain [n x 1] {\n  in A: f64[n x n] diagonal(" + offsets +
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
    check_on_device("kernel k0 \"spmm\" domain [n x 3] {\n  in A: f64[n x m] " + storage +
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

TEST_CASE("dense matrix times vector: along rows, along k, and neither") {
  const std::vector<std::string> operands = {"A: f64[n x m], x: f64[m x 1]", "A: f64[m x n], x: f64[m x 1]",
                                             "A: f64[2*n x 2*m], x: f64[m x 1]"};
  const std::vector<std::string> loads = {"A[i, k]", "A[k, i]", "A[2*i + 1, 2*k]"};
  for (std::size_t n = 0; n < operands.size(); ++n)
    for (const std::string extent : {"m", "m - 1"})
      check_on_device("kernel k0 \"gemv\" domain [n x 1] {\n  in " + operands[n] +
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

TEST_CASE("a long product along k is summed by whole workgroups") {
  check_on_device(R"(kernel k0 "long" domain [n x 1] {
  in A: f64[m x n], x: f64[m x 1]
  out y: f64[n x 1], s: f64
  contract k below m: f64 {
    $0 = load A[k, i]
    $1 = load x[k]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  store y[i] = $0
  reduce s = sum all $0
}
)",
                  {{{"n", 11}, {"m", 8191}}, {{"n", 3}, {"m", 8192}}, {{"n", 3}, {"m", 9001}}});
}

TEST_CASE("a vector with few values of k, and a term that is no product") {
  check_on_device(R"(kernel k0 "small" domain [n x 1] {
  in A: f32[5 x n], x: f32[5 x 1]
  out y: f32[n x 1]
  contract k below 5: f32 {
    $0 = load A[k, i]
    $1 = load x[k]
    $2 = sub $0, $1
    $3 = abs $2
    sum $3
  }
  $0 = contraction
  store y[i] = $0
}
)",
                  {{{"n", 2}}, {{"n", 300}}}, tolerance("f32"));
}

TEST_CASE("matrix times matrix, in every arrangement, with an epilogue") {
  const std::vector<std::string> left = {"A: ELEMENT[n x m]", "A: ELEMENT[m x n]"};
  const std::vector<std::string> right = {"B: ELEMENT[m x p]", "B: ELEMENT[p x m]"};
  const std::vector<std::string> left_loads = {"A[i, k]", "A[k, i]"}, right_loads = {"B[k, j]", "B[j, k]"};
  for (const std::string element : {"f32", "f64"})
    for (const std::string sum : {"", "  reduce s = sum all $3\n"})
      for (int l = 0; l < 2; ++l)
        for (int r = 0; r < 2; ++r) {
          if (element == "f64" && (l != r || sum.empty())) continue;  // the same text but for its types
          std::string text = "kernel k0 \"gemm\" domain [n x p] {\n  in " + left[l] + ", " + right[r] +
                             ", C: ELEMENT[n x p]\n  out D: ELEMENT[n x p]" + (sum.empty() ? "" : ", s: ELEMENT") +
                             "\n  contract k below m: ELEMENT {\n    $0 = load " + left_loads[l] + "\n    $1 = load " +
                             right_loads[r] + R"(
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  $1 = constant 2
  $2 = load C[i, j]
  $3 = sub $2, $0
  store D[i, j] = $3
)" + sum + "}\n";
          const auto replace = [&](const std::string& from, const std::string& to) {
            for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
              text.replace(at, from.size(), to);
          };
          replace("ELEMENT", element);
          replace(" x p]", " x n + 1]");
          replace("[p x ", "[n + 1 x ");
          check_on_device(text,
                          {{{"n", 0}, {"m", 4}},
                           {{"n", 5}, {"m", 0}},
                           {{"n", 3}, {"m", 5}},
                           {{"n", 64}, {"m", 16}},
                           {{"n", 150}, {"m", 33}}},
                          tolerance(element));
        }
}

TEST_CASE("the position of the first extreme of a product of matrices") {
  check_on_device(R"(kernel k0 "extreme" domain [n x m] {
  in A: int[n x 20], B: int[20 x m]
  out hi: int, at: int
  contract k below 20: int {
    $0 = load A[i, k]
    $1 = load B[k, j]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  $1 = abs $0
  reduce hi, at = min all $1
}
)",
                  {{{"n", 2}, {"m", 3}}, {{"n", 70}, {"m", 150}}});
}

TEST_CASE("a product of matrices reads its factors through any map") {
  check_on_device(R"(kernel k0 "maps" domain [n x m] {
  in A: f64[n x 20], B: f64[m x 20], position: int[20 x 1]
  out C: f64[n x m]
  contract k below 20: f64 {
    $0 = load position[k]
    $1 = load A[n - i - 1, @$0]
    $2 = load B[j, 19 - k]
    $3 = index k
    $4 = index j
    $5 = add $3, $4
    $6 = mul $2, $5
    $7 = mul $6, $1
    sum $7
  }
  $0 = contraction
  store C[i, j] = $0
}
)",
                  shapes());
}

TEST_CASE("a transpose beside a plain matrix, with a sum over both") {
  check_on_device(R"(kernel k0 "transpose" domain [n x m] {
  in A: f32[m x n], B: f32[n x m], c: f32[m x 1]
  out C: f32[n x m], D: f32[m x n], s: f32
  $0 = load A[j, i]
  $1 = load B[i, j]
  $2 = load c[j]
  $3 = mul $1, $2
  $4 = sub $0, $3
  store C[i, j] = $4
  store D[j, i] = $3
  reduce s = sum all $4
}
)",
                  {{{"n", 2}, {"m", 3}}, {{"n", 32}, {"m", 64}}, {{"n", 100}, {"m", 37}}, {{"n", 300}, {"m", 70}}},
                  tolerance("f32"));
}
