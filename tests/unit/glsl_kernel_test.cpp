// Maps, accesses and reductions as shaders: every kernel here runs on a device and is compared with the interpreter.
#include <catch2/catch.hpp>

#include "tests/unit/device_kernels.h"
#include "tests/unit/kernel_cases.h"

using namespace lac;
using namespace lac::test;

TEST_CASE("maps, accesses and reductions") {
  for (const KernelCase& kernel : kernel_cases()) DYNAMIC_SECTION(kernel.name) {
      check_on_device(kernel.text, kernel.sizes, kernel.tolerance);
    }
}

TEST_CASE("single precision needs no doubles for positions and sizes") {
  const std::string text = R"(kernel k0 "grid" domain [n x m] columns block 64 lanes 16 {
  in x: f32[n x m]
  out y: f32[n x m]
  $0 = load x[i, j]
  $1 = index i
  $2: int = constant 1
  $3 = add $1, $2
  $4: f32 = convert $3
  $5 = size n
  $6: f32 = convert $5
  $7 = div $4, $6
  $8 = index j
  $9 = lt $1, $8
  $10 = mul $0, $7
  $11 = select $9, $10, $0
  store y[i, j] = $11
}
)";
  check_on_device(text, shapes(), 1e-6);
  const Graph graph = graph_of_kernel(text);
  for (const ShaderStage& stage : compile_kernel(graph, {}).stages) {
    INFO(stage.glsl);
    CHECK_FALSE(stage.float64);
  }
}

TEST_CASE("short and long lines are reduced by other walks, to the same values") {
  for (const std::string rows : {"5", "64", "65", "200"})
    check_on_device("kernel k0 \"lines\" domain [" + rows + " x m] columns block 64 lanes 16 {\n  in x: f64[" + rows +
                        " x m], nan: f64[" + rows + R"( x m]
  out s: f64[1 x m], lo: f64[1 x m], at: int[1 x m], g: f64
  $0 = load x[i, j]
  $1 = load nan[i, j]
  reduce s = sum rows $0
  reduce lo, at = min rows $1
  reduce g = sum all $0
}
)",
                    {{{"n", 2}, {"m", 2}}, {{"n", 2}, {"m", 70}}, {{"n", 2}, {"m", 300}}});
  for (const std::string rows : {"5", "64", "65"})
    check_on_device("kernel k0 \"lines\" domain [" + rows + " x m] columns block 64 lanes 16 {\n  in x: f64[" + rows +
                        " x m]\n  out s: f64[" + rows + " x 1], y: f64[" + rows + R"( x m]
  $0 = load x[i, j]
  $1 = neg $0
  store y[i, j] = $1
  reduce s = max cols $0
}
)",
                    {{{"n", 2}, {"m", 2}}, {{"n", 2}, {"m", 70}}, {{"n", 2}, {"m", 700}}});
}

TEST_CASE("one point, empty domains, more points than invocations") {
  check_on_device(R"(kernel k0 "point" domain [1 x 1] columns block 64 lanes 16 {
  in a: f64, b: f64, x: f64[n x 1]
  out c: f64, s: f64
  $0 = load a
  $1 = load b
  $2 = load x[n - 1]
  $3 = div $0, $1
  $4 = add $3, $2
  store c[0] = $4
  reduce s = sum all $2
}
)",
                  {{{"n", 3}}});
  const std::string reductions = R"(kernel k0 "all" domain [n x m] columns block 64 lanes 16 {
  in x: f64[n x m]
  out s: f64, p: f64, lo: f64, at: int, any: logical, all: logical, rows: f64[1 x m]
  $0 = load x[i, j]
  $1 = constant 0.25
  $2 = lt $0, $1
  reduce s = sum all $0
  reduce p = prod all $1
  reduce lo, at = max all $0
  reduce any = any all $2
  reduce all = all all $2
  reduce rows = sum rows $0
}
)";
  check_on_device(reductions, {{{"n", 0}, {"m", 3}}, {{"n", 3}, {"m", 0}}, {{"n", 3}, {"m", 4}}});
  check_on_device(R"(kernel k0 "long" domain [n x 1] flat block 64 lanes 16 {
  in x: f32[n x 1]
  out s: f32, y: f32[n x 1]
  $0 = load x[i]
  $1 = neg $0
  reduce s = sum all $0
  store y[i] = $1
}
)",
                  {{{"n", 100000}}}, 1e-3);
}

TEST_CASE("gathers of rows and columns, linear positions, two scatters at once") {
  check_on_device(R"(kernel k0 "picks" domain [n x m] columns block 32 lanes 16 {
  in x: f64[n x m], p: int[n x 1], a: f64[n x m]
  out y: f64[n x m], z: f64[n x m], w: f64[n x m] from a
  $0 = load x[i, j]
  $1 = load x[n - i - 1, m - j - 1]
  $2 = load x[at i + j*n]
  $3 = index i
  $4: int = constant 1
  $5: int = constant 3
  $6 = mod $3, $5
  $7 = add $6, $4
  $8 = load x[@$7, j]
  $9 = add $0, $8
  $10 = index j
  $11 = add $10, $4
  store y[i, j] = $9
  store z[i, @$11] = $1
  store w[@$7, j] = $2
}
)",
                  {{{"n", 3}, {"m", 4}}, {{"n", 33}, {"m", 20}}});
}

TEST_CASE("a position that a check refuses before any point comes there makes no shader that does not compile") {
  const KernelShaders shaders = compile_kernel(graph_of_kernel(R"(kernel k0 "y" domain [1 x 1] flat block 1 lanes 16 {
  in x: f32[n x 1], A: f32[n x n]
  out y: f32[n x 1] from x
  $0 = load A[-1, 2]
  store y[-1, 0] = $0
}
)"),
                                               {});
  CHECK(shaders.stages[0].glsl.find("-1") == std::string::npos);
}

TEST_CASE("images hold what buffers hold: maps, stencils, reductions, rows") {
  check_on_device(R"(kernel k0 "stencil" domain [n x m] columns block 64 lanes 16 {
  in a: f32[n x m], c: f32[n x 1], r: f32[1 x m], t: f32[m x n], l: logical[n x m], b: f32
  out y: f32[n x m], z: f32[m x n], mask: logical[n x m], w: f32[n x m], s: f32, top: f32, at: int
  $0 = load a[i, j]
  $1 = load c[i, 0]
  $2 = load r[0, j]
  $3 = load t[j, i]
  $4 = load a[i - 1, j] fill 0.5
  $5 = load a[i, (j + 1) mod (m)]
  $6 = load a[at i + j*n]
  $7 = load l[i, j]
  $8 = load b
  $9 = add $0, $1
  $10 = mul $9, $2
  $11 = sub $10, $3
  $12 = mul $11, $4
  $13 = add $12, $5
  $14 = mul $13, $6
  $15 = add $14, $8
  $16 = select $7, $15, $0
  $17 = lt $16, $0
  store y[i, j] = $16
  store z[j, i] = $9
  store mask[i, j] = $17
  store w[i, j] = $5
  reduce s = sum all $16
  reduce top, at = max all $0
}
)",
                  shapes(), 1e-4);
  check_on_device(R"(kernel k0 "total" domain [n x m] flat block 64 lanes 16 {
  in a: f32[n x m]
  out s: f32
  $0 = load a[i, j]
  reduce s = sum all $0
}
)",
                  shapes(), 1e-4);
  check_on_device(R"(kernel k0 "row" domain [1 x n] columns block 64 lanes 16 {
  in x: f32[1 x n], c: f32[n x 1]
  out y: f32[1 x n], s: f32
  $0 = load x[0, j]
  $1 = load c[n - j - 1, 0]
  $2 = sub $0, $1
  store y[0, j] = $2
  reduce s = sum all $2
}
)",
                  {{{"n", 1}}, {{"n", 4}}, {{"n", 333}}, {{"n", 20000}}}, 1e-4);
  check_on_device(R"(kernel k0 "spmv" domain [n x 1] rows block 160 lanes 16 {
  in A: f32[n x n] diagonal(-1, 0, 1), p: f32[n x 1]
  out q: f32[n x 1], pq: f32
  contract k over diagonal row of A: f32 {
    $0 = matrix_element
    $1 = load p[k]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  $1 = load p[i]
  $2 = mul $1, $0
  store q[i] = $0
  reduce pq = sum all $2
}
)",
                  {{{"n", 7}}, {{"n", 16}}, {{"n", 1001}}}, 1e-4);
}

TEST_CASE("a small domain that is walked in tiles takes several workgroups") {
  check_on_device(R"(kernel k0 "total" domain [2 x 128] columns block 64 lanes 16 {
  in x: f64[2 x 128], t: f64[128 x 2]
  out s: f64
  $0 = load x[i, j]
  $1 = load t[j, i]
  $2 = mul $0, $1
  reduce s = sum all $2
}
)",
                  {{{"n", 2}}});
}
