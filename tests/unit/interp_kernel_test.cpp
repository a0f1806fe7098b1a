#include <catch2/catch.hpp>
#include <limits>

#include "ir/graph/parse_text.h"
#include "runtime/interp/interpreter.h"
#include "runtime/tensor/convert.h"

using namespace lac;
using namespace lac::runtime;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
using Values = std::vector<double>;

RunResult run(const std::string& text, const std::vector<Tensor>& parameters) {
  const Result<Graph> graph = parse_graph("graph \"g\" f64\n" + text);
  if (!graph) FAIL(graph.failure().message);
  return interpret(graph.value(), parameters, {});
}

Values flat(const Tensor& a) {
  Values values;
  for (std::int64_t j = 0; j < a.cols(); ++j)
    for (std::int64_t i = 0; i < a.rows(); ++i) values.push_back(a.at(i, j));
  return values;
}

std::vector<Values> outputs(const RunResult& result) {
  CHECK(result.status.message == "");
  REQUIRE(result.status.ok());
  std::vector<Values> values;
  for (const NamedTensor& output : result.outputs) values.push_back(flat(output.second));
  return values;
}

Tensor matrix(std::int64_t rows, std::int64_t cols, const Values& values) {
  return Tensor::dense(Element::real, rows, cols, values);
}

const std::string vector_parameter = R"(symbol n rows 0 lower 2
parameter x: f64[n x 1]
%0: f64[n x 1] = parameter x
)";

}  // namespace

TEST_CASE("a kernel stores, reduces and counts its traffic") {
  const RunResult result = run(vector_parameter + R"(
%1: f64 = constant 3
%2: f64[n x 1], %3: f64 = launch k0 %0, %1
output "y" %2
output "s" %3

kernel k0 "y, s" domain [n x 1] {
  in x: f64[n x 1], a: f64
  out y: f64[n x 1], s: f64
  $0 = load x[i]
  $1 = load a
  $2 = mul $0, $1
  $3 = mul $2, $0
  store y[i] = $2
  reduce s = sum all $3
}
)",
                               {matrix(3, 1, {1, 2, 3})});
  CHECK(outputs(result) == std::vector<Values>{{3, 6, 9}, {42}});
  REQUIRE(result.statistics.kernels.size() == 1);
  const KernelStatistics& statistics = result.statistics.kernels[0];
  CHECK(statistics.launches == 1);
  CHECK(statistics.bytes_read == 3 * 8 + 8);
  CHECK(statistics.bytes_written == 3 * 8 + 8);
  CHECK(statistics.matrix_bytes == 0);
  CHECK(statistics.vector_bytes == 64);
}

TEST_CASE("sparse and dense contractions agree with the product") {
  Tensor a = Tensor::diagonal(Element::real, 3, 3, {-1, 0, 1});
  for (std::int64_t k : {1, 2, 3, 4, 5, 6, 7}) a.set_stored_value(k, static_cast<double>(k));
  const auto product =
      [&](const std::string& storage, const std::string& contract, const Tensor& left) {
        const std::string type = "f64[3 x 3]" + storage;
        return outputs(run("parameter A: " + type + "\nparameter p: f64[3 x 1]\n%0: " + type +
                               " = parameter A\n%1: f64[3 x 1] = parameter p\n" + R"(
%2: f64[3 x 1], %3: f64 = launch k0 %0, %1
output "q" %2
output "pq" %3

kernel k0 "q, pq" domain [3 x 1] {
  in A: )" + type + R"(, p: f64[3 x 1]
  out q: f64[3 x 1], pq: f64
  contract k )" + contract + R"(
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
)",
                           {left, matrix(3, 1, {1, 10, 100})}));
      };
  // A = [3 6 0; 1 4 7; 0 2 5]
  const std::vector<Values> expected = {{63, 741, 520}, {63 + 7410 + 52000}};
  CHECK(product(" diagonal(-1, 0, 1)", "over diagonal row of A: f64 {\n    $0 = matrix_element", a) == expected);
  CHECK(product(" csr", "over csr row of A: f64 {\n    $0 = matrix_element", to_csr(a)) == expected);
  CHECK(product("", "below 3: f64 {\n    $0 = load A[i, k]", to_dense(a)) == expected);
}

TEST_CASE("maps shift, fill, turn round and gather") {
  const RunResult result = run(vector_parameter + R"(
%1: f64[n x 1], %2: f64[n x 1], %3: f64[n x 1], %4: f64[n x 1] = launch k0 %0
output "shift" %1
output "wrap" %2
output "gather" %3
output "reverse" %4

kernel k0 "maps" domain [n x 1] {
  in x: f64[n x 1]
  out a: f64[n x 1], b: f64[n x 1], c: f64[n x 1], d: f64[n x 1]
  $0 = load x[i - 1] fill 0.5
  $1 = load x[(i + 1) mod (n)]
  $2 = load x[i]
  $3 = load x[@$2]
  store a[i] = $0
  store b[i] = $1
  store c[i] = $3
  store d[n - i - 1] = $2
}
)",
                               {matrix(4, 1, {4, 3, 2, 2})});
  CHECK(outputs(result) == std::vector<Values>{{0.5, 4, 3, 2}, {3, 2, 2, 4}, {2, 2, 3, 3}, {2, 2, 3, 4}});
}

TEST_CASE("axis and arg reductions of a kernel skip NaN") {
  const RunResult result = run(R"(parameter x: f64[2 x 3]
%0: f64[2 x 3] = parameter x
%1: f64[1 x 3], %2: int[1 x 3] = launch k0 %0
%3: f64[2 x 1] = launch k1 %0
output "m" %1
output "at" %2
output "s" %3

kernel k0 "max" domain [2 x 3] {
  in x: f64[2 x 3]
  out m: f64[1 x 3], at: int[1 x 3]
  $0 = load x[i, j]
  reduce m, at = max rows $0
}

kernel k1 "sum" domain [2 x 3] {
  in x: f64[2 x 3]
  out s: f64[2 x 1]
  $0 = load x[i, j]
  reduce s = sum cols $0
}
)",
                               {matrix(2, 3, {1, 2, not_a_number, 5, 7, 7})});
  const auto x = outputs(result);
  CHECK(x[0] == Values{2, 5, 7});
  CHECK(x[1] == Values{2, 2, 1});
  CHECK(x[2][1] == 14);
}

TEST_CASE("an update keeps what it does not store, and an unwritten element is a bug") {
  const auto kernel = [](const std::string& base) {
    return vector_parameter + R"(
%1: f64[n x 1] = launch k0 %0
output "y" %1

kernel k0 "y" domain [2 x 1] {
  in x: f64[n x 1]
  out y: f64[n x 1])" +
           base + R"(
  $0 = load x[i + 1]
  $1 = neg $0
  store y[i + 1] = $1
}
)";
  };
  const Tensor x = matrix(4, 1, {1, 2, 3, 4});
  CHECK(outputs(run(kernel(" from x"), {x}))[0] == Values{1, -2, -3, 4});
  const RunResult unwritten = run(kernel(""), {x});
  CHECK(unwritten.status.code == RunCode::internal_error);
  CHECK(unwritten.status.message == "kernel y leaves elements of output 0 unwritten");
}

TEST_CASE("a plan that reads a released or taken buffer, or keeps one, is caught") {
  const std::string kernel = R"(
kernel k0 "y" domain [n x 1] {
  in x: f64[n x 1]
  out y: f64[n x 1]
  $0 = load x[i]
  $1 = neg $0
  store y[i] = $1
}
)";
  const Tensor x = matrix(2, 1, {1, 2});
  const auto status = [&](const std::string& ops) { return run(vector_parameter + ops + kernel, {x}).status; };
  const std::string reused =
      "%1: f64[n x 1] = launch k0 %0\n%2: f64[n x 1] = launch k0 %1 reuse (0)\noutput \"y\" %2\n";
  CHECK(status(reused + "release %2\n").ok());
  CHECK(status(reused).message == "1 buffers are never released");
  const std::string given = "%1: f64[n x 1] = launch k0 %0\noutput \"y\" %1 reuse (0)\n";
  CHECK(status(given).ok());
  CHECK(status(given + "output \"z\" %1\n").message == "use after release of %1");
  CHECK(status("output \"y\" %0 reuse (0)\n").message ==
        "takeover or release of a borrowed parameter, the buffer of %0");
  const RunStatus taken =
      status("%1: f64[n x 1] = launch k0 %0\n%2: f64[n x 1] = launch k0 %1 reuse (0)\noutput \"y\" %1\n");
  CHECK(taken.code == RunCode::internal_error);
  CHECK(taken.message == "use after release of %1");
  CHECK(status("%1: f64[n x 1] = copy %0\nrelease %1\noutput \"y\" %1\n").message == "use after release of %1");
  CHECK(status("%1: f64[n x 1] = launch k0 %0 reuse (0)\n").message ==
        "takeover or release of a borrowed parameter, the buffer of %0");
}

TEST_CASE("a plan's loop hands buffers over its back edge") {
  const auto loop = [](const std::string& yielded) {
    return vector_parameter + R"(
%1: f64[n x 1] = copy %0
%2: f64[n x 1] = copy %0
%3: int = constant 3
%4: logical = constant 1
%5: int, %6: f64[n x 1], %7: f64[n x 1] = loop for_range "k" %3, %4, %1, %2 {
  arguments %8: int, %9: f64[n x 1], %10: f64[n x 1]
  yield %4, )" +
           yielded + R"(
}
output "x" %6
release %6, %7
)";
  };
  const Tensor x = matrix(2, 1, {1, 2});
  CHECK(run(loop("%10, %9"), {x}).status.ok());
  CHECK(run(loop("%9, %9"), {x}).status.message == "use after release of %9");
}
