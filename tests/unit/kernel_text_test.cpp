#include <catch2/catch.hpp>

#include "ir/graph/parse_text.h"
#include "ir/graph/text.h"
#include "ir/kernel/text.h"

using namespace lac;

namespace {

const std::string header = R"(graph "g" f64
symbol n rows 0 lower 2
symbol i value 2 lower 2
parameter A: f64[n x n] csr spd
parameter p: f64[n x 1]
parameter i: int

%0: f64[n x n] csr spd = parameter A
%1: f64[n x 1] = parameter p
)";

std::string reprinted(const std::string& text) {
  const Result<Graph> graph = parse_graph(text);
  return graph ? print(graph.value()) : graph.failure().message;
}

}  // namespace

TEST_CASE("a sparse product with its dot product reads back as itself") {
  const std::string text = header + R"(%2 q: f64[n x 1], %3 pq: f64 = launch k0 %0, %1

kernel k0 "q, pq" domain [n x 1] rows block 1024 lanes 16 {
  in A: f64[n x n] csr spd, p: f64[n x 1]
  out q: f64[n x 1], pq: f64
  contract k over csr row of A: f64 {
    $0 = matrix_element
    $1 = load p[k]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  $1 = load p[i]
  $2 = mul $0, $1
  store q[i] = $0
  reduce pq = sum all $2
}
)";
  CHECK(reprinted(text) == text);
}

TEST_CASE("how workgroups walk reads back as itself") {
  for (const std::string walk :
       {"points", "tiles", "texels", "lines along rows", "group_lines along cols", "strips along cols",
        "contraction sums blocks", "contraction sums slices k 32 to 256 parts 256 of 1",
        "strips along cols sums slices rows 8 to 8 parts 8 of 32"}) {
    const std::string text = header +
                             "%2 q: f64[n x 1] = launch k0 %1\n\nkernel k0 \"q\" domain [n x 1] rows block 8 " +
                             "lanes 16 groups " + walk +
                             " {\n  in p: f64[n x 1]\n  out q: f64[n x 1]\n  $0 = load p[i]\n  store q[i] = $0\n}\n";
    CHECK(reprinted(text) == text);
  }
}

TEST_CASE("every map and instruction reads back as itself") {
  const std::string text = header + R"(%2: f64["i" x n], %3: f64[1 x n], %4: int[1 x n] = launch k0 %1, %1, %1

kernel k0 "maps" domain ["i" x n] columns block 512 lanes 8 {
  in p: f64[n x 1], p.1: f64[n x 1], v2: f64[n x 1]
  out v0: f64["i" x n] from p, m: f64[1 x n], at: int[1 x n]
  contract k below n - 1: f64 {
    $0 = load p[k]
    $1 = index k
    $2 = apply_me
    sum $0
  }
  $0 = load p[n - i - 1]
  $1 = load p.1[at n*j + i + 2]
  $2 = load v2[2*i - 3*j, j] fill 0.5
  $3 = load v2[(i + 1) div (n), (j) mod (2)]
  $4 = size n + "i"
  $5: int = convert $0
  $6 = load p[@$5]
  $7 = load p[at @$5]
  $8: f32 = constant 2.5
  $9: f32 = add $0, $1
  $10 = select $5, $0, $8
  $11 = index j
  $12 = load p
  store v0[j, i] = $6
  reduce m, at = max rows $0
}
)";
  std::string valid = text;
  valid.erase(valid.find("    $2 = apply_me\n"), 18);
  for (std::size_t at = valid.find("\"i\""); at != std::string::npos; at = valid.find("\"i\"", at))
    if (at < valid.find("kernel k0")) valid.replace(at, 3, "i");
    else ++at;
  CHECK(reprinted(valid) == valid);
  CHECK(reprinted(text).find("there is no instruction 'apply_me'") != std::string::npos);
}

TEST_CASE("with one column in the domain a single subscript means column j") {
  const Result<Graph> graph = parse_graph(header + R"(%2: f64[n x 1] = launch k0 %1
kernel k0 "copy" domain [n x 1] {
  in p: f64[n x 1]
  out q: f64[n x 1]
  $0 = load p[i]
  store q[i, 0] = $0
}
)");
  REQUIRE(graph);
  const Kernel& kernel = graph.value().kernels[KernelId{0}];
  CHECK(kernel.body[InstrId{0}].map == AccessMap::identity());
  CHECK(kernel.stores[0].map.col == AffineIndex{});
}

TEST_CASE("a kernel with faults in its text says where") {
  const auto message = [](const std::string& body) {
    return reprinted(header + "%2: f64 = launch k0 %1\nkernel k0 \"f\" domain [n x 1] {\n" + body);
  };
  CHECK(message("$1 = load p\n").substr(0, 5) == "12:3:");
  CHECK(message("in p: f64\n$0 = load q\n").find("nothing is called 'q' here") != std::string::npos);
  CHECK(message("in p: f64\n$0 = load p[i*j]\n").find("linear in i, j and k") != std::string::npos);
}
