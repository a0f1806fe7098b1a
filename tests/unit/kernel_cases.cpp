#include "tests/unit/kernel_cases.h"

namespace lac::test {

const std::vector<Sizes>& lengths() {
  static const std::vector<Sizes> all = {{{"n", 0}},  {{"n", 1}},  {{"n", 15}},  {{"n", 16}},
                                         {{"n", 17}}, {{"n", 64}}, {{"n", 333}}, {{"n", 1000}}};
  return all;
}

const std::vector<Sizes>& shapes() {
  static const std::vector<Sizes> all = {{{"n", 2}, {"m", 3}},  {{"n", 16}, {"m", 16}},  {{"n", 3}, {"m", 70}},
                                         {{"n", 33}, {"m", 5}}, {{"n", 130}, {"m", 37}}, {{"n", 300}, {"m", 2}}};
  return all;
}

std::string wide_stencil(const std::string& element) {
  std::string text = R"(kernel k0 "stencil" domain [n x m] columns block 64 lanes 16 {
  in a: f64, x: f64[n x m], r: f64[n x m], l: logical, y: f64[n x m]
  out z: f64[n x m], w: f64[n x m] from y, s: f64, top: f64, at: int
  $0 = load a
  $1 = load l
  $2 = load x[i, j]
  $3 = load r[i, j]
  $4 = mul $0, $2
  $5 = add $3, $4
  $6 = select $1, $5, $2
  $7 = load x[i - 1, j] fill 0
  $8 = load r[i - 1, j] fill 0
  $9 = mul $0, $7
  $10 = add $8, $9
  $11 = select $1, $10, $7
  $12 = load x[i + 1, j] fill 0
  $13 = load r[i + 1, j] fill 0
  $14 = mul $0, $12
  $15 = add $13, $14
  $16 = select $1, $15, $12
  $17 = load x[i, j - 1] fill 0
  $18 = load r[i, j - 1] fill 0
  $19 = mul $0, $17
  $20 = add $18, $19
  $21 = select $1, $20, $17
  $22 = load x[i, j + 1] fill 0
  $23 = load r[i, j + 1] fill 0
  $24 = mul $0, $22
  $25 = add $23, $24
  $26 = select $1, $25, $22
  $27 = add $6, $11
  $28 = add $27, $16
  $29 = add $28, $21
  $30 = add $29, $26
  $31 = load y[i, j]
  $32 = mul $30, $31
  $33 = mul $32, $6
  $34 = mul $33, $11
  $35 = mul $34, $16
  $36 = mul $35, $21
  $37 = mul $36, $26
  store z[i, j] = $30
  store w[i, j] = $37
  reduce s = sum all $37
  reduce top, at = max all $30
}
)";
  for (std::size_t at = text.find("f64"); at != std::string::npos; at = text.find("f64", at + element.size()))
    text.replace(at, 3, element);
  return text;
}

const std::vector<KernelCase>& kernel_cases() {
  static const std::vector<Sizes> some = {lengths().begin() + 1, lengths().end()};  // without the empty one
  static const std::vector<KernelCase> all = {
      {"a flat kernel: elementwise work, scalars, every reduction over all elements",
       R"(kernel k0 "flat" domain [n x m] flat block 64 lanes 16 {
  in x: f64[n x m], nan: f64[n x m], a: f64, b: int, l: logical[n x m]
  out y: f64[n x m], z: logical[n x m], s: f64, p: f64, lo: f64, hi: f64, any: logical, all: logical, count: int
  $0 = load x[i, j]
  $1 = load nan[i, j]
  $2 = load a
  $3 = load b
  $4 = load l[i, j]
  $5 = div $2, $3
  $6 = mul $5, $0
  $7 = constant 0.5
  $8 = lt $0, $7
  $9 = index i
  $10 = index j
  $11 = add $6, $9
  $12 = add $11, $10
  $13 = abs $0
  $14 = constant 0.9
  $15 = pow $13, $14
  store y[i, j] = $12
  store z[i, j] = $8
  reduce s = sum all $0
  reduce p = prod all $15
  reduce lo = min all $1
  reduce hi = max all $1
  reduce any = any all $8
  reduce all = all all $8
  reduce count = sum all $4
}
)",
       {{{"n", 2}, {"m", 2}}, {{"n", 7}, {"m", 9}}, {{"n", 64}, {"m", 3}}, {{"n", 30}, {"m", 31}}},
       1e-11},
      {"a flat kernel of vectors in single precision", R"(kernel k0 "axpy" domain [n x 1] flat block 48 lanes 16 {
  in x: f32[n x 1], y: f32[n x 1], a: f32
  out z: f32[n x 1], s: f32
  $0 = load x[i]
  $1 = load y[i]
  $2 = load a
  $3 = mul $0, $2
  $4 = add $3, $1
  $5 = mul $4, $4
  store z[i] = $4
  reduce s = sum all $5
}
)",
       lengths(), 1e-5},
      {"columns: broadcasts, transposes, shifts that fill and turn round",
       R"(kernel k0 "maps" domain [n x m] columns block 64 lanes 16 {
  in a: f64[n x m], c: f64[n x 1], r: f64[1 x m], t: f64[m x n]
  out y: f64[n x m], z: f64[m x n]
  $0 = load a[i, j]
  $1 = load c[i, 0]
  $2 = load r[0, j]
  $3 = load t[j, i]
  $4 = load a[i - 1, j] fill 0.5
  $5 = load a[i, (j + 1) mod (m)]
  $6 = load a[n - i - 1, m - j - 1]
  $7 = load a[(i + 1) mod (n), (j) div (2)]
  $8 = add $0, $1
  $9 = mul $8, $2
  $10 = sub $9, $3
  $11 = mul $10, $4
  $12 = add $11, $5
  $13 = mul $12, $6
  $14 = add $13, $7
  store y[i, j] = $14
  store z[j, i] = $9
}
)",
       shapes(), 1e-11},
      {"columns: reductions along rows, with the position of the extreme",
       R"(kernel k0 "sums" domain [n x m] columns block 64 lanes 16 {
  in x: f64[n x m], nan: f32[n x m], tie: int[n x m]
  out s: f64[1 x m], lo: f32[1 x m], at: int[1 x m], hi: int[1 x m], where: int[1 x m], g: f64, pos: int
  $0 = load x[i, j]
  $1 = load nan[i, j]
  $2 = load tie[i, j]
  $3 = mul $0, $0
  reduce s = sum rows $3
  reduce lo, at = min rows $1
  reduce hi, where = max rows $2
  reduce g, pos = max all $0
}
)",
       shapes(), 1e-11},
      {"rows: reductions along columns", R"(kernel k0 "sums" domain [n x m] rows block 32 lanes 16 {
  in x: f64[n x m], nan: f64[n x m]
  out s: f64[n x 1], lo: f64[n x 1], at: int[n x 1], any: logical[n x 1], g: f64
  $0 = load x[i, j]
  $1 = load nan[i, j]
  $2 = constant 1.5
  $3 = gt $0, $2
  reduce s = sum cols $0
  reduce lo, at = min cols $1
  reduce any = any cols $3
  reduce g = sum all $0
}
)",
       shapes(), 1e-11},
      {"one row: vectors run along the columns", R"(kernel k0 "row" domain [1 x n] columns block 32 lanes 16 {
  in x: f64[1 x n], c: f64[n x 1]
  out y: f64[1 x n], s: f64[1 x 1], g: f64, at: int
  $0 = load x[0, j]
  $1 = load c[j, 0]
  $2 = sub $0, $1
  $3 = index j
  $4 = mul $2, $3
  store y[0, j] = $4
  reduce s = sum cols $2
  reduce g, at = min all $0
}
)",
       some, 1e-11},
      {"gathers and updates: the last of several stores to one place wins: gather",
       R"(kernel k0 "gather" domain [n x 1] columns block 32 lanes 16 {
  in x: f64[n x 1], position: int[n x 1]
  out y: f64[n x 1], z: f64[n x 1] from x
  $0 = load position[i]
  $1 = load x[@$0]
  $2 = index i
  store y[i] = $1
  store z[@$0] = $2
}
)",
       some, 1e-11},
      {"a stencil that holds more than registers do, with a condition that is the same at all points",
       wide_stencil("f64"), shapes(), 1e-11},
      {"the same in single precision", wide_stencil("f32"), shapes(), 1e-4},
      {"what is stored where a condition holds, and what where it does not",
       R"(kernel k0 "guarded" domain [n x 1] flat block 32 lanes 16 {
  in x: f64[n x 1], l: logical, old: f64[n x 1]
  out y: f64[n x 1] from old
  $0 = load x[i]
  $1 = load l
  $2 = neg $0
  $3 = load old[i]
  $4 = select $1, $2, $3
  store y[i] = $4
}
)",
       lengths(), 1e-11},
      {"the same, where it does not hold",
       R"(kernel k0 "guarded" domain [n x m] columns block 32 lanes 16 {
  in x: f64[n x m], l: logical, old: f64[n x m], other: f64[n x m]
  out y: f64[n x m] from old, z: f64[n x m] from other
  $0 = load x[i, j]
  $1 = load l
  $2 = load old[i, j]
  $3 = load other[i, j]
  $4 = add $0, $3
  $5 = mul $0, $2
  $6 = select $1, $2, $4
  $7 = select $1, $3, $5
  store y[i, j] = $6
  store z[i, j] = $7
}
)",
       shapes(), 1e-11},
      {"gathers and updates: the last of several stores to one place wins: strided",
       R"(kernel k0 "strided" domain [n x 1] columns block 32 lanes 16 {
  in x: f64[2*n x 1]
  out y: f64[2*n x 1] from x
  $0 = load x[2*i + 1]
  $1 = neg $0
  store y[2*i + 1] = $1
}
)",
       lengths(), 1e-11},
  };
  return all;
}

}  // namespace lac::test
