#include "ir/graph/verifier.h"

#include <catch2/catch.hpp>

#include "ir/graph/parse_text.h"
#include "ir/graph/text.h"

using namespace lac;

namespace {

/// The faults of a graph with symbol n, A (n x n, csr), x (n x 1) and the scalar c.
std::string faults(const std::string& body) {
  const Result<Graph> graph = parse_graph(R"ir(graph "g" f64
symbol n rows 0 lower 2
parameter A: f64[n x n] csr
parameter x: f64[n x 1]
parameter c: logical
%0: f64[n x n] csr = parameter A
%1: f64[n x 1] = parameter x
%2: logical = parameter c
%3: int = constant 10
)ir" + body);
  if (!graph) return graph.failure().message;
  std::string text;
  for (const std::string& fault : verify(graph.value())) text += fault + "\n";
  return text;
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string kernel_faults(const std::string& kernel, const std::string& schedule = "") {
  return faults("%4: f64[n x 1], %5: f64 = launch k0 %0, %1\nkernel k0 \"k\" domain [n x 1]" + schedule +
                " {\n"
                "in A: f64[n x n] csr, x: f64[n x 1]\nout q: f64[n x 1], s: f64\n" +
                kernel + "}\n");
}

}  // namespace

TEST_CASE("a conjugate gradient loop verifies") {
  CHECK(faults(R"ir(
%4: int, %5: f64[n x 1] = loop while_true "" %3, %2, %1 {
  arguments %6: int, %7: f64[n x 1]
  %8: f64[n x 1] = matmul %0, %7
  %9: f64[1 x n] = transpose %7
  %10: f64 = matmul %9, %8
  %11: f64[n x 1] = map mul %8, %10
  %12: logical = map gt %10, %3
  yield %12, %11
}
output "x" %5
)ir") == "");
}

TEST_CASE("a growing carried value verifies, and a wrong size of it does not") {
  const auto growing = [](const std::string& start) {
    return "%20: f64[0 x 1] = iota rows\n" + start + R"ir(
%4: int, %5: int, %6: f64[%5 x 1] = loop for_range "k" %3, %2, %21, %22 {
  arguments %7: int, %8: int, %9: f64[%8 x 1]
  %10: int = constant 1
  %11: int = map add %8, %10
  %12: f64[%8 + 1 x 1] = resize %9
  yield %2, %11, %12
}
)ir";
  };
  CHECK(mentions(faults(growing("%21: int = constant 0\n%22: f64[0 x 1] = convert %20")), "is stated as f64[0 x 1]"));
  const std::string good = "%21: int = constant 0\n%23: f64 = constant 0\n%22: f64[0 x 1] = fill %23";
  std::string text = growing(good);
  text.erase(0, text.find('\n') + 1);
  CHECK(faults(text) == "");
  text.replace(text.find("constant 0"), 10, "constant 1");
  CHECK(mentions(faults(text), "the loop starts from f64[0 x 1] for f64["));
}

TEST_CASE("a resize shrinks in the memory of what it is of alone, and to no more elements") {
  const auto resized = [](const std::string& op) {
    return "%20: int = constant 0\n%21: f64 = constant 0\n%22: f64[n x 2] = fill %21\n%23: " + op + "\n";
  };
  CHECK(mentions(faults(resized("f64[n x 1] = resize %22")), "an extent shrinks"));
  CHECK(faults(resized("f64[n x 1] = resize %22 reuse (0)")) == "");
  CHECK(faults(resized("f64[1 x n] = resize %22 reuse (0)")) == "");
  CHECK(mentions(faults(resized("f64[1 x 3*n] = resize %22 reuse (0)")), "more elements"));
}

TEST_CASE("uses come after definitions, in scope") {
  CHECK(mentions(faults("%4: f64 = map neg %5\n%5: f64 = constant 1\n"), "used before its definition"));
  const std::string inner = R"ir(
%4: f64 = branch %2 {
  %5: f64 = constant 1
  yield %5
} {
  %6: f64 = constant 2
  yield %6
}
)ir";
  CHECK(faults(inner) == "");
  CHECK(mentions(faults(inner + "output \"y\" %5\n"), "used before its definition"));
  CHECK(mentions(faults("symbol\n"), "there is no op"));
  CHECK(mentions(faults("%4: f64[%5 x 1] = iota rows\n%5: int = constant 2\n"), "used before its definition"));
}

TEST_CASE("types, counts and conditions are checked") {
  CHECK(mentions(faults("%4: f64[n x 2] = map neg %1\n"), "stated as f64[n x 2] but is f64[n x 1]"));
  CHECK(mentions(faults("%4: f64[n + 1 x 1] = iota rows\n"), "stated as f64[n + 1 x 1] but is int"));
  CHECK(mentions(faults("%4: int[0 - 1 x 1] = iota rows\n"), "negative extent"));
  CHECK(mentions(faults("%4: f64[n x n] = map neg %0\n"), "not dense"));
  CHECK(mentions(faults("%4: f64[n x 1] = transpose %1, %1\n"), "number of operands"));
  CHECK(mentions(faults("%4: f64[n x 1] = library solve %0\n"), "number of operands"));
  CHECK(mentions(faults("check err \"c\" %3\n"), "condition is not a logical scalar"));
  CHECK(mentions(faults("check err \"c\" (_) %2\n"), "another number of operands"));
  CHECK(mentions(faults("branch %2 {\nyield %1\n} {\n}\n"), "yields another number"));
}

TEST_CASE("kernels are checked where they are launched") {
  const std::string good = R"ir(contract k over csr row of A: f64 {
  $0 = matrix_element
  $1 = load x[k]
  $2 = mul $0, $1
  sum $2
}
$0 = contraction
store q[i] = $0
reduce s = sum all $0
)ir";
  CHECK(kernel_faults(good) == "");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return kernel_faults(text);
  };
  CHECK(mentions(with("csr row", "diagonal row"), "storage is not its matrix's"));
  CHECK(mentions(with("store q[i] = $0\n", ""), "\"q\" is not written once"));
  CHECK(mentions(with("$0 = contraction", "$0 = matrix_element"), "outside a sparse prologue"));
  CHECK(with("store q[i]", "store q[i + 1]") == "");
  CHECK(mentions(with("store q[i]", "store q[(i) div (0)]"), "not positive"));
  CHECK(mentions(with("store q[i]", "store q[k]"), "uses k outside"));
  CHECK(mentions(with("mul $0, $1", "mul $0, $3"), "does not precede"));
  CHECK(mentions(with("reduce s = sum all", "reduce s = any all"), "another element"));
  CHECK(mentions(with("$2 = mul", "$2: f32 = mul"), "is f32 but should be f64"));
  CHECK(mentions(with("$0 = contraction", "$0 = load A"), "not dense"));

  const auto scheduled = [&](const std::string& groups) {
    return kernel_faults(good, " rows block 64 lanes 16 groups " + groups);
  };
  CHECK(scheduled("contraction sums slices k 1 to 32 parts 32 of 128") == "");
  CHECK(mentions(scheduled("contraction"), "share out the sums"));
  CHECK(mentions(scheduled("lines sums slices k 1 to 32 parts 32 of 128"), "walk lines along an axis"));
  CHECK(mentions(scheduled("points along rows sums slices k 1 to 32 parts 32 of 128"), "walk lines along an axis"));
  CHECK(mentions(scheduled("contraction sums slices k 1 to 512 parts 32 of 128"), "no powers of two, or more"));
  CHECK(mentions(scheduled("contraction sums slices k 32 to 8 parts 32 of 128"), "no powers of two, or more"));
  CHECK(mentions(scheduled("contraction sums slices k 1 to 24 parts 32 of 128"), "no powers of two, or more"));
}
