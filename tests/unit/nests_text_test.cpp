// Kernels of several nests: their text and what the verifier says of them.
#include <catch2/catch.hpp>

#include "ir/graph/parse_text.h"
#include "ir/graph/text.h"
#include "ir/graph/verifier.h"

using namespace lac;

namespace {

const std::string valid = R"(graph "g" f64
symbol n rows 0 lower 2
symbol m cols 0 lower 2
parameter A: f64[n x m]

%0: f64[n x m] = parameter A
%1: f64[n x 1], %2: f64[n x m], %3: f64[1 x m] = launch k0 %0

kernel k0 "y" domain [n x m] strips rows rows block 256 lanes 16 strip 65536 width m {
  in A: f64[n x m]
  out s: f64[n x 1], y: f64[n x m], z: f64[1 x m]
  nest domain [n x m] strips rows {
    $0 = load A[i, j]
    reduce s = sum cols $0
  }
  $0 = load A[i, j]
  $1 = reload s[i]
  $2 = div $0, $1
  store y[i, j] = $2
  reduce z = sum rows $2
}
)";

/// The text with its first `part` replaced.
std::string changed(std::string part, const std::string& by, std::string text = valid) {
  const std::size_t place = text.find(part);
  REQUIRE(place != std::string::npos);
  return text.replace(place, part.size(), by);
}

std::string faults(const std::string& text) {
  const Result<Graph> graph = parse_graph(text);
  if (!graph) return graph.failure().message;
  std::string all;
  for (const std::string& fault : verify(graph.value())) all += fault + "\n";
  return all;
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("nests read back as themselves") {
  const Result<Graph> graph = parse_graph(valid);
  REQUIRE(graph.ok());
  CHECK(print(graph.value()) == valid);
  CHECK(faults(valid).empty());
}

TEST_CASE("every nest says which axis it shares, and all mean the same extent") {
  CHECK(mentions(faults(changed("] strips rows rows", "] rows")), "does not say which axis"));
  CHECK(mentions(faults(changed("nest domain [n x m] strips rows", "nest domain [n x m]")), "does not say which axis"));
  CHECK(mentions(faults(changed("nest domain [n x m] strips rows", "nest domain [n + 1 x m] strips rows")),
                 "the axis of the nests has two extents"));
}

TEST_CASE("a reload is of what a nest before it wrote, at its own place") {
  CHECK(mentions(faults(changed("reload s[i]", "reload s[2*i]")), "no nest before it stores"));
  CHECK(mentions(faults(changed("reload s[i]", "reload s[i + 1]")), "two nests that share their columns"));
  CHECK(mentions(faults(changed("reload s[i]", "reload y[i, j]")), "no nest before it stores"));
  CHECK(mentions(faults(changed("reload s[i]", "reload z[0, j]")), "no nest before it stores"));
  CHECK(mentions(faults(changed("reload s[i]", "reload t[i]")), "nothing is called 't' here"));
  // Sums of the whole matrix are there when all strips are done.
  const std::string whole = changed("s: f64[n x 1]", "s: f64", changed("sum cols $0", "sum all $0"));
  CHECK(mentions(faults(changed("reload s[i]", "reload s", changed("%1: f64[n x 1]", "%1: f64", whole))),
                 "reloads a scalar"));
}

TEST_CASE("at the entries of a row is reloaded where it is known how far from the diagonal they are") {
  const std::string follows = R"(graph "g" f64
symbol n rows 0 lower 2
parameter A: f64[n x n] csr
parameter r: f64[n x 1]

%0: f64[n x n] csr = parameter A
%1: f64[n x 1] = parameter r
%2: f64[n x 1], %3: f64, %4: f64[n x 1] = launch k0 %0, %1

kernel k0 "q" domain [n x 1] strips rows rows block 256 lanes 16 strip 4096 width 1 {
  in A: f64[n x n] csr, r: f64[n x 1]
  out p: f64[n x 1], s: f64, q: f64[n x 1]
  nest domain [n x 1] strips rows {
    $0 = load r[i]
    store p[i] = $0
    reduce s = sum all $0
  }
  contract k over csr row of A reach n - 1: f64 {
    $0 = matrix_element
    $1 = reload p[k]
    $2 = mul $0, $1
    sum $2
  }
  $0 = contraction
  store q[i] = $0
}
)";
  const Result<Graph> graph = parse_graph(follows);
  REQUIRE(graph.ok());
  CHECK(print(graph.value()) == follows);
  CHECK(faults(follows).empty());
  CHECK(mentions(faults(changed(" reach n - 1", "", follows)), "no nest before it stores"));
  CHECK(mentions(faults(changed("reload p[k]", "reload p[k + 1]", follows)), "no nest before it stores"));
  const std::string by_rows = changed("s: f64, q", "s: f64[n x 1], q", changed("%3: f64,", "%3: f64[n x 1],", follows));
  CHECK(mentions(faults(changed("sum all $0", "sum cols $0", by_rows)), "a reduction has several results"));
}

TEST_CASE("an output is of one nest") {
  const std::string twice =
      changed("    reduce s = sum cols $0\n", "    reduce s = sum cols $0\n    store y[i, j] = $0\n");
  CHECK(mentions(faults(twice), "of more than one nest"));
}

TEST_CASE("strips belong to several nests") {
  CHECK(mentions(faults(changed(" strip 65536 width m", "")), "strips are for several nests"));
}
